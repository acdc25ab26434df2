export {
  createAccountStreams,
  type AccountEvents,
  type AccountStreams,
  type AccountStreamsSettings,
} from './account-streams.ts';
export { createStreamGateway, type StreamGateway, type StreamGatewaySettings } from './stream-gateway.ts';
