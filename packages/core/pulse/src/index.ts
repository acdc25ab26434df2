export { createInProcessPulse } from './in-process.ts';
export { createMarketSnapshots, type MarketSnapshots } from './market-snapshots.ts';
export type { PulseChannel, PulseMessage } from './port.ts';
export { createPulseMaker } from './pulse-maker.ts';
export { createRedisPulse } from './redis.ts';
