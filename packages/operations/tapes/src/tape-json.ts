import { validationMessage } from '@paper/contracts';
import { ListMarketInput, VoidMarketInput } from '@paper/contracts/operator';
import { parseInstant, parseUnits } from '@paper/contracts/units';
import { z } from 'zod';
import { TapeRefused } from './skips.ts';

const { closesAt, prior, tickSize, title } = ListMarketInput.shape;

const TapeJson = z.strictObject({
  markets: z.array(
    z.strictObject({
      id: z.string(),
      title: title.nullish(),
      closesAt: closesAt.nullish(),
      tickSize: tickSize.unwrap().nullish(),
      prior: prior.nullish(),
      outcome: z.enum(['yes', 'no', 'void']).nullish(),
      voidPrice: VoidMarketInput.shape.price.nullish(),
      settlesAt: closesAt.nullish(),
    }),
  ),
});

export type DescribedMarket = ReturnType<typeof describe>;
export type Description = ReadonlyMap<string, DescribedMarket>;

/** Reads a tape.json: facts about markets that the tape's streams lack. @throws TapeRefused */
export function parseTapeJson(text: string, id: string): Description {
  const refuse = (why: string): never => {
    throw new TapeRefused(`${id} is refused: its tape.json is wrong: ${why}.`);
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse('it is not JSON');
  }
  const parsed = TapeJson.safeParse(json);
  if (!parsed.success) return refuse(validationMessage(parsed.error));
  const described = new Map<string, DescribedMarket>();
  for (const market of parsed.data.markets) {
    const name = JSON.stringify(market.id);
    if (described.has(market.id)) return refuse(`it names market ${name} twice`);
    const facts = describe(market);
    if ((facts.outcome === 'void') !== (facts.voidUnits !== null)) {
      return refuse(`outcome "void" and voidPrice, in steps of 0.0001, go together (market ${name})`);
    }
    described.set(market.id, facts);
  }
  return described;
}

function describe(market: z.output<typeof TapeJson>['markets'][number]) {
  const closesAtMs = msOf(market.closesAt);
  return {
    title: market.title ?? null,
    closesAtMs,
    tickUnits: unitsOf(market.tickSize),
    priorUnits: unitsOf(market.prior),
    outcome: market.outcome ?? (typeof market.voidPrice === 'number' ? 'void' : null),
    /** If the outcome is void: the payout of a YES share. */
    voidUnits: unitsOf(market.voidPrice),
    /** Default: closesAt, or else the end of the tape. */
    settlesAtMs: msOf(market.settlesAt) ?? closesAtMs,
  } as const;
}

const unitsOf = (value: number | null | undefined): number | null =>
  typeof value === 'number' ? parseUnits(value) : null;
const msOf = (text: string | null | undefined): number | null => (typeof text === 'string' ? parseInstant(text) : null);
