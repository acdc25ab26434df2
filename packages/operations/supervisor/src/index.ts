export { expiryOf, readNewCertificate, servedFingerprint, type Certificate } from './certificate.ts';
export { startFrontDoor, type FrontDoor, type FrontDoorTls } from './front-door.ts';
export {
  superviseProcess,
  type SupervisedProcess,
  type ProcessEvent,
  type ProcessStatus,
  type RunningProcess,
} from './keep-running.ts';
export { reachPostgres, reachRedis } from './reachable.ts';
export { ROLES_OF, SERVICE_NAMES, type ServiceCounts, type ServiceName } from './service-names.ts';
export {
  startServiceProcess,
  type Program,
  type ServiceProcess,
  type ServiceProcessOptions,
} from './service-process.ts';
export { serviceSetSettings, type ServiceSetConfig } from './set/config.ts';
export { reloadCertificate, askRestart, askStatus, openControl, type SetStatus } from './set/control.ts';
export { AwaitedServers, requireHaproxy } from './set/servers.ts';
export { ServiceSet } from './set/service-set.ts';
export { hasSettled, type ServiceStatus } from './set/service-status.ts';
export { untilServing } from './until-serving.ts';
