export { builtFolder, builtProgram } from './built.ts';
export {
  describeClientOfExchange,
  describeExchange,
  describeOldestPostgres,
  describeServices,
  describeSharedClientOfExchange,
  describeSharedExchange,
  missingServer,
} from './exchange.ts';
export { prepareTrading } from './prepare-trading.ts';
export { ROLE_PASSWORD } from './roles.ts';
export { type RunningExchange } from './running-exchange.ts';
export { startServiceProcess, type ServiceProcess } from './service-process.ts';
export { startServices, type RunningServices } from './services.ts';
export { startStandalone, temporaryDataDir, type RunningStandalone, type ServiceFile } from './standalone.ts';
