import type { TradeFilter } from '../src/models/fills/queries.ts';

/** Values for the filters of `GET /api/trades`. */
interface FilterValues {
  readonly fromMs: number;
  readonly toMs: number;
  readonly after: number;
  readonly markets: readonly string[];
}

interface NamedFilter {
  readonly name: string;
  readonly filter: Omit<TradeFilter, 'limit'>;
}

/** Every combination of the filters of `GET /api/trades`: of all markets and of each, from, to, and a cursor. */
export function tradeFilters({ after, fromMs, markets, toMs }: FilterValues): readonly NamedFilter[] {
  const choices: readonly (readonly NamedFilter[])[] = [
    [NONE, ...markets.map((marketId) => ({ name: ` of ${marketId}`, filter: { marketId } }))],
    [NONE, { name: ', from a time', filter: { fromMs } }],
    [NONE, { name: ', to a time', filter: { toMs } }],
    [NONE, { name: ', after a cursor', filter: { after } }],
  ];
  return choices.reduce((made, choice) =>
    made.flatMap((one) =>
      choice.map(({ filter, name }) => ({ name: one.name + name, filter: { ...one.filter, ...filter } })),
    ),
  );
}

const NONE: NamedFilter = { name: '', filter: {} };
