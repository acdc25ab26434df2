export { createStreamGateway, type StreamGateway, type StreamGatewaySettings } from './stream-gateway.ts';
