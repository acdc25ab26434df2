export { readArguments } from './config/arguments.ts';
export { ConfigError } from './config/config-error.ts';
export {
  described,
  isLoopback,
  printConfig,
  processSettings,
  readConfig,
  setting,
  storeSettings,
} from './config/config.ts';
export { configuredSecrets } from './config/configured-secrets.ts';
export { withoutFormerNames } from './config/former-names.ts';
export { fileSettingOf, isSecretSetting, withSecretFiles } from './config/secret-files.ts';
export { FairQueue, type Lane } from './fair-queue.ts';
export { assertFolderFree, FolderInUse, lockFolder } from './folder-lock.ts';
export { freePort } from './free-port.ts';
export { databaseClock } from './lease/database-clock.ts';
export { createLeaseStore, LEASE_TABLES, type LeaseStore } from './lease/lease-store.ts';
export { createLease, type Lease, type Tenure } from './lease/lease.ts';
export { stepDownWhenUnhealthy } from './lease/step-down.ts';
export { lifelinePrefix } from './lifeline.ts';
export { createLogger, type Logger } from './logger.ts';
export { createMetrics, type Metrics, type MetricValue, SECONDS } from './metrics.ts';
export { readPrivateFile, writePrivateFile } from './private-file.ts';
export { isProcessOf, processStartedAt } from './process-identity.ts';
export { endOf, killAtExit, nodeOptionsFor } from './process/child-process.ts';
export { isInstalled } from './process/installed.ts';
export { keepTrying, keepTryingTo } from './process/keep-trying.ts';
export { lowerPriority, lowerThreadPriority, LOWEST as LOWEST_PRIORITY } from './process/priority.ts';
export { type Listening, runService, type ServiceProcess } from './process/run-service.ts';
export type { Teardown } from './process/teardown.ts';
export { createRetryLog, type RetryLog } from './retry-log.ts';
export { StartRefused } from './start-refused.ts';
export { randomSecret, storedSecret } from './stored-secret.ts';
export { escapeLines, escapeMatches, escapeText, print, printError } from './terminal.ts';
export { withClient } from './with-client.ts';
