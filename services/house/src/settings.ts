/** How the house's bots behave. Money is whole units of $0.0001. */
export interface HouseSettings {
  /** From the quotes' centre to the best quote. Must be above `maxSkewUnits`: that is what keeps every quote's edge. */
  readonly halfSpreadUnits: number;
  /** How far inventory may move the centre away from the anchor. */
  readonly maxSkewUnits: number;
  /** Between one quote and the next of the same side. */
  readonly levelStepUnits: number;
  /** Shares of each level, best first. */
  readonly levelSizes: readonly number[];
  /** Most YES less NO shares, either way, that the maker's quotes may lead to in one market. */
  readonly maxInventory: number;
  /** How far from the anchor the taker trades; at most the maker's half spread. */
  readonly takeEdgeUnits: number;
  readonly takeSize: number;
  /** Most YES less NO shares, either way, that the taker holds before it only goes back. */
  readonly takeMaxInventory: number;
  /** What the taker may give away against the anchor in one market, at once and again in each hour. */
  readonly marketLossUnits: number;
  /** What both bots together may give away to others, at once and again in each hour. */
  readonly houseLossUnits: number;
  /** What both bots together may lose in one market from 00:00 to 24:00 UTC, at the anchor, also to who knows more. */
  readonly marketDayLossUnits: number;
  readonly makerIntervalMs: number;
  readonly takerIntervalMs: number;
  /** How often signals and the list of active markets are read. */
  readonly refreshMs: number;
}

export const DEFAULT_HOUSE_SETTINGS: HouseSettings = {
  halfSpreadUnits: 200,
  maxSkewUnits: 100,
  levelStepUnits: 100,
  levelSizes: [20, 40, 60],
  maxInventory: 300,
  takeEdgeUnits: 200,
  takeSize: 5,
  takeMaxInventory: 100,
  marketLossUnits: 50_000,
  houseLossUnits: 30_000,
  marketDayLossUnits: 400_000,
  makerIntervalMs: 500,
  takerIntervalMs: 1500,
  refreshMs: 2000,
};
