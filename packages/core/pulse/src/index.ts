export { createInProcessPulse } from './in-process.ts';
export { createPictures, type Pictures } from './pictures.ts';
export type { PulseChannel, PulseMessage } from './port.ts';
export { createPulseMaker, type PulseMaker, type PulseMakerSettings } from './pulse-maker.ts';
export { createRedisPulse, type RedisPulseSettings } from './redis.ts';
