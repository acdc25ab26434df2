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

export interface DescribedMarket {
  readonly title: string | null;
  readonly closesAtMs: number | null;
  readonly tickUnits: number | null;
  readonly priorUnits: number | null;
  readonly outcome: 'yes' | 'no' | 'void' | null;
  /** If the outcome is void: the payout of a YES share. */
  readonly voidUnits: number | null;
  /** Default: closesAt, or else the end of the tape. */
  readonly settlesAtMs: number | null;
}

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
    if (described.has(market.id)) return refuse(`it names market ${JSON.stringify(market.id)} twice`);
    const outcome = market.outcome ?? (typeof market.voidPrice === 'number' ? 'void' : null);
    const voidUnits = unitsOf(market.voidPrice);
    if ((outcome === 'void') !== (voidUnits !== null)) {
      return refuse(
        `outcome "void" and voidPrice, in steps of 0.0001, go together (market ${JSON.stringify(market.id)})`,
      );
    }
    const closesAtMs = msOf(market.closesAt);
    described.set(market.id, {
      title: market.title ?? null,
      closesAtMs,
      tickUnits: unitsOf(market.tickSize),
      priorUnits: unitsOf(market.prior),
      outcome,
      voidUnits,
      settlesAtMs: msOf(market.settlesAt) ?? closesAtMs,
    });
  }
  return described;
}

const unitsOf = (value: number | null | undefined): number | null =>
  typeof value === 'number' ? parseUnits(value) : null;
const msOf = (text: string | null | undefined): number | null => (typeof text === 'string' ? parseInstant(text) : null);
