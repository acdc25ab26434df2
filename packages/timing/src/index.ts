export { BackOff, retry, type BackOffLimits, type RetryOptions } from './back-off.ts';
export { every, pause, systemClock, type Clock } from './clock.ts';
