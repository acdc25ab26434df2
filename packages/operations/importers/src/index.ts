export { readableNumber } from './forecastbench-signals.ts';
export { planImport, planResolve, type ImportPlan, type ResolvePlan } from './forecastbench.ts';
export { importMarkets } from './import-markets.ts';
export { importSignals, type SignalFormat } from './import-signals.ts';
export type { Import, ImportReport } from './import.ts';
export {
  createOperatorClient,
  findService,
  readService,
  type Connection,
  type OperatorClient,
} from './operator-client.ts';
export { readableTicker } from './readable-ticker.ts';
export { resolveMarkets } from './resolve-markets.ts';
export { isObject } from './forecastbench.ts';
export { planSignalLines } from './signal-lines.ts';
export type { RecordCommand } from './signal-plan.ts';
