/** The cost of a read, in units: `base`, plus one for each full `perUnit` items of its `limit`. */
export interface ReadCost {
  readonly base: number;
  /** Replaces `base` if the query parameter `asOfSeq` is given, since a historical state has to be computed. */
  readonly asOfSeq?: number;
  readonly items?: ItemCost;
}

export interface ItemCost {
  readonly perUnit: number;
  readonly default: number;
  readonly max: number;
}

/** The most that any read costs: an eighth of the burst of 400 that the usual limits allow a key. */
export const READ_COST_MAX = 50;

/** The least cost of a read without a valid key that waits for the projection, since something in it is unknown. */
export const UNKNOWN_COST = 10;

/** The cost of a list of `default` items, at most 500. */
export function listCost(base: number, perUnit: number, fallback: number, max = 500): ReadCost {
  return { base, items: { perUnit, default: fallback, max } };
}

/** The cost of a request with this `limit` (null: none). An invalid one counts as the default: it is refused. */
export function costOf({ base, asOfSeq, items }: ReadCost, limit: string | null, hasAsOfSeq: boolean): number {
  const first = hasAsOfSeq ? (asOfSeq ?? base) : base;
  if (items === undefined) return first;
  const requested = limit !== null && /^[1-9]\d*$/.test(limit) ? Math.min(items.max, Number(limit)) : items.default;
  return first + Math.floor(requested / items.perUnit);
}

/** The cost as the OpenAPI document publishes it: its parts, its default and its maximum. */
export function publishedCost(cost: ReadCost): Readonly<Record<string, number>> {
  const { base, asOfSeq, items } = cost;
  return {
    default: costOf(cost, null, false),
    max: Math.max(...[false, true].map((past) => costOf(cost, String(items?.max ?? 1), past))),
    base,
    ...(asOfSeq === undefined ? {} : { asOfSeq }),
    ...(items === undefined ? {} : { itemsPerUnit: items.perUnit }),
  };
}
