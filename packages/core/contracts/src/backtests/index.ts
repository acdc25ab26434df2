export * from './backtest.ts';
export * from './endpoints.ts';
export * from './report.ts';
export * from './tape.ts';
