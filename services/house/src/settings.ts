/** Settings of the house's bots. Money is whole units of $0.0001. */
export interface HouseSettings {
  /**
   * The distance from the quotes' centre to the best quote. Must be above `maxSkewUnits`, so that every quote has a
   * profit against the anchor.
   */
  readonly halfSpreadUnits: number;
  /** The furthest that inventory may move the centre from the anchor. */
  readonly maxSkewUnits: number;
  /** The distance between neighbouring quotes of one side. */
  readonly levelStepUnits: number;
  /** The shares of each level, best first. */
  readonly levelSizes: readonly number[];
  /** The largest net position (YES minus NO, either sign) that the maker's quotes may lead to in one market. */
  readonly maxInventory: number;
  /** The largest distance from the anchor at which the taker trades; at most the maker's half spread. */
  readonly takeEdgeUnits: number;
  readonly takeSize: number;
  /** The largest net position (YES minus NO, either sign) of the taker; beyond it the taker only reduces. */
  readonly takeMaxInventory: number;
  /** The most that the taker may lose against the anchor in one market: as a burst, and again in each hour. */
  readonly marketLossUnits: number;
  /** The most that both bots together may lose to others: at once, and again in each hour. */
  readonly houseLossUnits: number;
  /**
   * The most that both bots together may lose in one market from 00:00 to 24:00 UTC, valued at the anchor, including
   * losses to better informed traders.
   */
  readonly marketDayLossUnits: number;
  readonly makerIntervalMs: number;
  readonly takerIntervalMs: number;
  /** The interval between reads of the signals and of the active markets. */
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
