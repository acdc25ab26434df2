export { createDemo } from './demo/demo.ts';
export { JOURNAL_BYTES_A_DAY } from './demo/journal-budget.ts';
export { isRound } from './demo/rounds.ts';
export { TRADERS } from './demo/traders.ts';
export { createHouse, type HouseMarket } from './house.ts';
export { DEFAULT_HOUSE_SETTINGS } from './settings.ts';
