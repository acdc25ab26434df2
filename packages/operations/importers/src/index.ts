export { isObject } from './forecastbench.ts';
export { importMarkets } from './import-markets.ts';
export { importSignals } from './import-signals.ts';
export type { Import, ImportReport } from './import.ts';
export {
  createOperatorClient,
  findService,
  readService,
  type Connection,
  type OperatorClient,
} from './operator-client.ts';
export { resolveMarkets } from './resolve-markets.ts';
export { planSignalLines, type RecordCommand } from './signal-lines.ts';
