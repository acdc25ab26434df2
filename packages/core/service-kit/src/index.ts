export { limitAddress, rateLimited } from './admission.ts';
export { type ErrorAnswer } from './answer.ts';
export { apiErrorOf, toApiError } from './api-error.ts';
export { createApp, type AppSettings } from './app.ts';
export { ConfigError } from './config-error.ts';
export { configuredSecrets } from './configured-secrets.ts';
export { withoutFormerNames } from './former-names.ts';
export { httpSettings, printConfig, processSettings, readConfig, setting, storeSettings } from './config.ts';
export { addressOf, type Call, CallClient, hashKey, headersOf, observeRequests, pathOf, readKey } from './call.ts';
export { answerFailure } from './failure.ts';
export { FairQueue, type Lane } from './fair-queue.ts';
export { FairSlots, type FairSlotsSettings } from './fair-slots.ts';
export { faultOfHost } from './host.ts';
export { databaseClock } from './lease/database-clock.ts';
export { createLease, type Lease, type Tenure } from './lease/lease.ts';
export { stepDownWhenUnhealthy, type StepDownOptions } from './lease/step-down.ts';
export { createLeaseStore, LEASE_TABLES, type LeaseStore } from './lease/lease-store.ts';
export { LIMITS } from './limits.ts';
export { createLogger, type Logger } from './logger.ts';
export { createMetrics, type Metrics, type MetricValue } from './metrics.ts';
export { type ReadinessCheck, startMetricsServer } from './metrics-server.ts';
export {
  createOperators,
  formatOperatorTokens,
  type Operator,
  type Operators,
  type OperatorToken,
  parseOperatorTokens,
} from './operators.ts';
export { type Page, servePage } from './page.ts';
export { patternRoutes, type Serve, type ServedRoute } from './pattern-routes.ts';
export { etagOf, preSerialize, sendBytes } from './pre-serialized.ts';
export { type DeclaredInput, readBody, readInput, readItem } from './request-input.ts';
export { addressSubject, createRateLimiter, type RateLimiter, type RateLimitSettings } from './rate-limit.ts';
export { relayHeaders } from './relay.ts';
export { withRoutesServedElsewhere } from './elsewhere.ts';
export { beginStream, type BeginStream, type EventStream } from './event-stream.ts';
export {
  type Authenticate,
  implement,
  type RequestInput,
  route,
  type Route,
  streamRoute,
  type StreamRoute,
} from './route.ts';
export { createRetryLog, type RetryLog } from './retry-log.ts';
export { pageHeaders } from './security-headers.ts';
export { type RunningServer, type ServerSettings, startServer } from './server.ts';
export { readArguments, type Started } from './process/arguments.ts';
export { keepTrying, keepTryingTo } from './process/keep-trying.ts';
export { lowerPriority, lowerThreadPriority } from './process/priority.ts';
export { findNames, prepareNames } from './names-table.ts';
export { fileSettingOf, isSecretSetting, SECRET_SETTINGS, withSecretFiles } from './secret-files.ts';
export { prepareSecrets, readSecret, SECRET_NAMES, type SecretName } from './secrets.ts';
export { type Listening, runService, type Service, type ServiceProcess } from './process/run-service.ts';
export type { Teardown } from './process/teardown.ts';
export { withClient, type ClientConfig } from './with-client.ts';
