import { Market } from '@paper/contracts/markets';
import type { MarketBody } from '@paper/contracts/markets';
import { SettledMarket } from '@paper/contracts/operator';
import type { SettledMarketBody } from '@paper/contracts/operator';
import { marketView } from '@paper/exchange';
import type { MarketView, State } from '@paper/exchange';

function viewOf(state: State, marketId: string): MarketView {
  const view = marketView(state, marketId);
  if (view === null) throw new Error(`market ${marketId} was decided on and is not there`);
  return view;
}

/** The market as the decision left it. */
export function marketAnswer(state: State, marketId: string): MarketBody {
  return Market.body(viewOf(state, marketId));
}

/** The market after its settlement, with the settlement's figures. */
export function settledAnswer(state: State, marketId: string): SettledMarketBody {
  const view = viewOf(state, marketId);
  if (view.settlement === null) throw new Error(`market ${marketId} has a settlement without an end`);
  return SettledMarket.body({ market: view, ...view.settlement });
}
