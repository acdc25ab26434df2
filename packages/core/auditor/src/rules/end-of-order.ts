import type { Incoming, Ledger } from '../ledger/ledger.ts';
import { checkSpending } from './mandates.ts';

/** Ends an order's decision: its events must match exactly what the first of them announced. */
export function endOfOrder(ledger: Ledger): void {
  const incoming = ledger.incoming;
  if (incoming === null) return;
  const { announced, filled, cancelled, shares, timeInForce } = incoming;
  ledger.event = announced;
  const rest = incoming.rested ? announced.restQuantity : 0;
  const ended = cancelled?.quantity ?? 0;
  ledger.must(
    filled === announced.fillQuantity && incoming.rested === announced.restQuantity > 0,
    'a decision is whole',
    () => `${filled} of ${announced.fillQuantity} filled, ${rest} of ${announced.restQuantity} rested`,
  );
  if (filled + rest + ended !== shares) {
    throw ledger.violation('quantities add up', `${filled} filled + ${rest} resting + ${ended} cancelled ≠ ${shares}`);
  }
  if (timeInForce === 'FOK') {
    ledger.must(filled === 0 || ended === 0, 'a decision is whole', 'a fill-or-kill order was filled in part');
  }
  checkPassedOver(ledger, incoming);
  checkSpending(ledger, incoming);
  ledger.incoming = null;
}

/** Checks that an order that ended for lack of liquidity left no order behind that it could have filled. */
function checkPassedOver(ledger: Ledger, incoming: Incoming): void {
  const { announced, bid, cancelled, notionalUnits, timeInForce, yesLimit } = incoming;
  if (cancelled === null) return;
  const market = ledger.market(announced.marketId);
  const best = (bid ? market.asks : market.bids)[0];
  const within = best !== undefined && (bid ? best.yesPrice <= yesLimit : best.yesPrice >= yesLimit);
  const isOwn = within ? ledger.areInOneFleet(best.accountId, announced.accountId) : false;
  const { reason } = cancelled;
  if (reason === 'no_liquidity' || (reason === 'ioc_remainder' && notionalUnits === null)) {
    ledger.must(!within, 'liquidity is not passed over', () => `${best?.orderId ?? ''} stands within its limit`);
  }
  if (reason === 'self_trade' && timeInForce !== 'FOK') {
    ledger.must(isOwn !== false, 'liquidity is not passed over', 'no order of its owner stands first within its limit');
  }
  // For a fill-or-kill order without fills, only deciding the command again shows whether the end was right.
  if (reason === 'self_trade' && (isOwn === null || timeInForce === 'FOK')) {
    ledger.unprovenSelfTrades += 1;
  }
  if (reason === 'fill_limit') {
    ledger.must(within, 'liquidity is not passed over', 'nothing more was there to fill');
  }
  if (reason === 'post_only') {
    const wouldTake = within && isOwn !== true;
    ledger.must(wouldTake, 'a post-only order takes nothing', 'there was nothing that it would have taken');
  }
}
