import { DEFAULT_SETTINGS, RULES_VERSION, PLAIN_ORDER } from '@paper/exchange';
import type { Command, CommandBase, Outcome, TimeInForce } from '@paper/exchange';
import { marketId } from '../boards/fill.ts';

/** A command without the fields that every command has. */
export type CommandBody<C = Command> = C extends Command ? Omit<C, keyof CommandBase> : never;

export const OPERATOR = { kind: 'operator', name: 'bench' } as const;

export const EPOCH: CommandBody = {
  type: 'StartWriterEpoch',
  build: 'bench',
  rulesVersion: RULES_VERSION,
  settings: DEFAULT_SETTINGS,
  writerId: 'bench',
};

/** The listing of the `n`th market, with texts as long as usual ones. */
export function listing(n: number, closesAt: number): CommandBody {
  return {
    type: 'ListMarket',
    bodyHash: String(n).padStart(64, '0'),
    category: 'bench',
    citationUrl: null,
    closesAt,
    companyImpact: 0.5,
    companySlug: `company-${n % 400}`,
    description: `What question number ${n} asks about is settled by what the statistical office publishes.`,
    drivers: [`driver-${n % 100}`],
    marketId: marketId(n),
    phase: 'active',
    priorUnits: 5_000,
    sector: `sector-${n % 10}`,
    settlementSource: 'The statistical office that publishes it',
    tickUnits: 100,
    ticker: `Q${n}`,
    title: `Will what question number ${n} asks about come true before the end of the year?`,
  };
}

export function opening(key: Readonly<Record<'accountId' | 'keyHash' | 'keyId' | 'nameDigest', string>>): CommandBody {
  return { type: 'OpenAccount', ...key, last4: 'abcd', permissions: ['view', 'trade'], startingBalanceUnits: null };
}

/** A limit order that buys. */
export function bid(order: {
  readonly marketId: string;
  readonly orderId: string;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly quantity: number;
  readonly timeInForce: TimeInForce;
}): CommandBody {
  return {
    ...PLAIN_ORDER,
    accountId: null,
    type: 'PlaceOrder',
    ...order,
    maxPriceUnits: null,
    notionalUnits: null,
    offTick: false,
    orderType: 'limit',
    side: 'buy',
    slippageUnits: null,
  };
}
