export { createInProcessPulse } from './in-process.ts';
export { createPictures, type Pictures } from './pictures.ts';
export type { PulseChannel, PulseMessage } from './port.ts';
export { createPulseMaker } from './pulse-maker.ts';
export { createRedisPulse } from './redis.ts';
