export { BackOff, retry } from './back-off.ts';
export { every, pause, systemClock, type Clock } from './clock.ts';
export { inPieces } from './in-pieces.ts';
export { inTime } from './in-time.ts';
export { formatDuration, RateMeter } from './rate-meter.ts';
