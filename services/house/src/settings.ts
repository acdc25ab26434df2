/** Settings of the house: the maker and the taker that this service runs. Money is whole units of $0.0001. */
export const DEFAULT_HOUSE_SETTINGS = {
  /** The distance from the quotes' centre to the best quote; above `maxSkewUnits`, so that every quote has a profit. */
  halfSpreadUnits: 200,
  /** The furthest that inventory may move the centre from the anchor. */
  maxSkewUnits: 100,
  levelStepUnits: 100,
  levelSizes: [20, 40, 60] as readonly number[],
  /** The largest net position (YES minus NO, either sign) that the maker's quotes may lead to in one market. */
  maxInventory: 300,
  /** The largest distance from the anchor at which the taker trades; at most the maker's half spread. */
  takeEdgeUnits: 200,
  takeSize: 5,
  /** The largest net position (YES minus NO, either sign) of the taker; beyond it the taker only reduces. */
  takeMaxInventory: 100,
  /** The most that the taker may lose against the anchor in a market: a budget that refills in an hour. */
  marketLossUnits: 50_000,
  /** The most that both bots together may lose to others: a budget that refills in an hour. */
  houseLossUnits: 30_000,
  /** The most that both bots together may lose in one market and UTC day, valued at the anchor. */
  marketDayLossUnits: 400_000,
  makerIntervalMs: 500,
  takerIntervalMs: 1500,
  refreshMs: 2000,
};

export type HouseSettings = Readonly<typeof DEFAULT_HOUSE_SETTINGS>;
