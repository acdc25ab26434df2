import type { OrderBody, PositionsBody } from '@paper/contracts';
import type { Anchor } from './anchors.ts';
import type { ApiClient } from './api-client.ts';
import type { LossBudgets } from './budget.ts';
import { holdings, obey } from './maker.ts';
import { edgeUnits, NOTHING_HELD } from './quotes.ts';
import type { HouseSettings } from './settings.ts';
import { nextTake } from './take.ts';

interface TakerNeeds {
  readonly client: ApiClient;
  readonly anchors: () => readonly Anchor[];
  readonly losses: LossBudgets;
  readonly settings: HouseSettings;
  readonly random: () => number;
  readonly now: () => number;
}

/** One small order a turn, in a market at random. It is a market order with a bound, whose answer tells what was paid. */
export function createTaker({ client, anchors, losses, settings, random, now }: TakerNeeds): () => Promise<void> {
  return async () => {
    const open = anchors();
    const anchor = open[Math.floor(random() * open.length)];
    if (anchor === undefined) return;
    const positions = await client.request('GET', '/api/positions');
    obey(positions);
    if (positions.status !== 200) throw new Error('the positions were not answered');
    const { marketId, anchorUnits } = anchor;
    const held = holdings(positions.body as PositionsBody).get(marketId) ?? NOTHING_HELD;
    const take = nextTake(anchor, held, losses.leftUnits(marketId, now()), settings, random);
    if (take === null) return;

    // Counted at its worst before it is sent, so that an answer that is lost has been paid for.
    const atWorst = Math.max(0, -edgeUnits(take, anchorUnits)) * take.quantity;
    losses.taken(marketId, atWorst, now());
    const answer = await client.request('POST', '/api/orders', {
      marketId,
      outcome: take.outcome,
      side: take.side,
      orderType: 'market',
      timeInForce: 'IOC',
      price: take.priceUnits / 10_000,
      quantity: take.quantity,
    });
    obey(answer);
    const order = answer.status === 200 ? (answer.body as OrderBody) : null;
    const paid =
      order === null
        ? 0
        : -edgeUnits({ ...take, priceUnits: Math.round(order.price * 10_000) }, anchorUnits) * order.filledQty;
    losses.untaken(marketId, atWorst - Math.max(0, paid), now());
  };
}
