export { createHouse } from './house.ts';
export type { House, HouseMarket, HouseOptions } from './house.ts';
export type { HouseLogger } from './loop.ts';
export { DEFAULT_HOUSE_SETTINGS } from './settings.ts';
export type { HouseSettings } from './settings.ts';
