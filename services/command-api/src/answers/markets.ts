import { Market } from '@paper/contracts/markets';
import { SettledMarket } from '@paper/contracts/operator';
import type { SettledMarketBody } from '@paper/contracts/operator';
import { marketView } from '@paper/exchange';
import type { Decision, MarketView, State } from '@paper/exchange';
import { eventOf, submitFor } from '../command-gateway.ts';
import type { Call, CommandFields, CommandGateway } from '../command-gateway.ts';

type MarketCommand = CommandFields<'ListMarket' | 'AmendMarket' | 'ActivateMarket' | 'PauseMarket' | 'CloseMarket'>;

function viewOf(state: State, marketId: string): MarketView {
  const view = marketView(state, marketId);
  if (view === null) throw new Error(`market ${marketId} was decided on and is not there`);
  return view;
}

/** Answers with the market as the decision left it; a replay or repeated listing, as the first decision left it. */
export async function submitForMarket(gateway: CommandGateway, call: Call, command: MarketCommand) {
  const result = await submitFor(gateway, call, command, (decision, state) => {
    const marketId = marketIdOf(command, decision);
    return { fromSeq: firstAnswered(command, decision), marketId, present: Market.body(viewOf(state, marketId)) };
  });
  const { fromSeq, marketId, present } = result.value;
  if (fromSeq === null) return { ...result, value: present };
  await gateway.readModel.fresh(result.seq);
  const isClose = command.type === 'CloseMarket';
  const first = await gateway.readModel.marketRecord(marketId, fromSeq, isClose);
  if (first === null) throw new Error(`the read model has no record of market ${marketId} from ${fromSeq} on`);
  // A resolution or void came before the close had ended. The close was answered when it ended, and that answer is
  // final.
  const isSuperseded = isClose && first.phase !== 'closed';
  return { ...result, value: isSuperseded ? present : Market.body(first) };
}

/** The id of a command's market. A repeated listing without an id names its market only by its first event. */
function marketIdOf(command: MarketCommand, decision: Decision): string {
  const isRepeated = command.type === 'ListMarket' && decision.kind === 'replayed';
  return isRepeated ? eventOf(decision, 'MarketListed').marketId : command.marketId;
}

/** The sequence from which to look for the market's record of the first answer; null if this request is the first. */
function firstAnswered(command: MarketCommand, decision: Decision): number | null {
  if (decision.kind === 'replayed') return decision.seq;
  return command.type === 'ListMarket' && decision.kind === 'unchanged' ? 0 : null;
}

/** The market after its settlement, with its figures. It never changes, so a replay gets the same answer. */
export function settledAnswer(state: State, marketId: string): SettledMarketBody {
  const view = viewOf(state, marketId);
  if (view.settlement === null) throw new Error(`market ${marketId} has a settlement without an end`);
  return SettledMarket.body({ market: view, ...view.settlement });
}
