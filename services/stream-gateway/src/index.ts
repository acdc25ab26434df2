export { BookStreams, type BookStreamsSettings } from './book-streams.ts';
export { AccountStreams, scopeOf, type AccountStreamsSettings } from './account-streams.ts';
export { DeliveryTrace } from './delivery-trace.ts';
export { StreamGateway, type StreamGatewaySettings } from './stream-gateway.ts';
export { streamGatewaySettings } from './config.ts';
export { createStreams } from './streams.ts';
