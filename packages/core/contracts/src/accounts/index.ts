export * from './account-event.ts';
export * from './account.ts';
export * from './leaderboard.ts';
export * from './mandate.ts';
export * from './me.ts';
export * from './trader.ts';
export { COMPLIANCE_MODES } from '@paper/exchange/vocabulary';
