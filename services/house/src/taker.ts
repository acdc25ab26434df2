import type { Anchor } from './anchors.ts';
import { assertNotDelayed, unitsOf } from './api-answers.ts';
import type { HouseClient } from './api-answers.ts';
import type { LossBudgets } from './budget.ts';
import type { DayResults } from './day-results.ts';
import { edgeUnits, NOTHING_HELD } from './quotes.ts';
import type { HouseSettings } from './settings.ts';
import { nextTake } from './take.ts';

interface TakerNeeds {
  readonly client: HouseClient;
  readonly anchors: () => readonly Anchor[];
  readonly losses: LossBudgets;
  readonly results: DayResults;
  readonly settings: HouseSettings;
  readonly random: () => number;
  readonly now: () => number;
}

/** Creates the taker. Each turn it sends one small market order with a price bound, in a random market. */
export function createTaker(needs: TakerNeeds): () => Promise<void> {
  const { client, anchors, losses, results, settings, random, now } = needs;
  return async () => {
    const open = anchors();
    const anchor = open[Math.floor(random() * open.length)];
    if (anchor === undefined) return;
    const { marketId, anchorUnits } = anchor;
    const held = (await results.read('taker', client, now())).get(marketId) ?? NOTHING_HELD;
    const left = { edgeUnits: losses.leftUnits(marketId, now()), ...results.lossLimits(anchor) };
    const take = nextTake(anchor, held, left, settings, random);
    if (take === null) return;

    // The worst loss is counted before the order is sent, so that an order whose answer is lost counts too.
    const { outcome, priceUnits, quantity, side } = take;
    const atWorst = Math.max(0, -edgeUnits(take, anchorUnits)) * quantity;
    losses.addLoss(marketId, atWorst, now());
    const answer = await client.request('placeOrder', {
      body: { marketId, outcome, side, orderType: 'market', timeInForce: 'IOC', price: priceUnits / 10_000, quantity },
    });
    assertNotDelayed(answer);
    const order = answer.status === 200 ? answer.body : null;
    const paid =
      order === null ? 0 : -edgeUnits({ ...take, priceUnits: unitsOf(order.price) }, anchorUnits) * order.filledQty;
    losses.reduceLoss(marketId, atWorst - Math.max(0, paid), now());
  };
}
