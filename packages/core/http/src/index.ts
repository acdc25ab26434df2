export { limitAddress, rateLimited } from './admission.ts';
export { apiErrorOf, toApiError } from './api-error.ts';
export { createApp } from './app.ts';
export { type Call, CallClient, hashKey, headersOf, pathOf, readKey, targetOf, trustedProxies } from './call.ts';
export { withRoutesServedElsewhere } from './elsewhere.ts';
export { beginStream, type BeginStream, type EventStream } from './event-stream.ts';
export { FairSlots } from './fair-slots.ts';
export { assertOwnsFleet } from './fleet-owner.ts';
export { faultOfHost } from './host.ts';
export { startMetricsServer } from './metrics-server.ts';
export { createOperators, formatOperatorTokens, type OperatorToken, parseOperatorTokens } from './operators.ts';
export { observeRequests } from './observe-requests.ts';
export type { Page } from './page.ts';
export { methodNotAllowed, patternRoutes } from './pattern-routes.ts';
export { etagOf, preSerialize } from './pre-serialized.ts';
export { addressSubject, createRateLimiter, type RateLimiter } from './rate-limit.ts';
export { createPipeline } from './pipeline.ts';
export { untilOpened, type ReadinessCheck } from './readiness.ts';
export { relayHeaders } from './relay.ts';
export { replayHeaders } from './replay-headers.ts';
export { readBody, readInput, readItem, readJson } from './request-input.ts';
export {
  type Authenticate,
  implement,
  type RequestInput,
  route,
  type Route,
  streamRoute,
  type StreamRoute,
} from './route.ts';
export { type RunningServer, startServer } from './server.ts';
export { startServers } from './service-servers.ts';
export { apiSetting, appSettings, httpSettings, isLoopback, serverSettings } from './settings.ts';
