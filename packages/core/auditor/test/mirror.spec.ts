import { expect } from 'chai';
import { createState, decide } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import type { Outcome } from '@paper/exchange/vocabulary';
import { SMALL_SETTINGS, createWorkload, IS_LONG_RUN } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import type { MarketDump, StateDump } from '@paper/testkit/dumps';
import { applyDecision } from './judged-run.ts';

/**
 * YES and NO are symmetric. A run in which every yes is a no, and every price in YES terms is its complement, must be
 * the first run's mirror image, event for event and in its end.
 */
const RUNS = IS_LONG_RUN ? 60 : 15;

describe('YES and NO swapped', () => {
  it(`mirrors ${RUNS} runs of 400 commands`, function () {
    this.timeout(60_000);
    let fills = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      // One piece cancels and settles a whole market, so that the order within a run (bids first, yes first) does not
      // matter; nor does it for what is remembered of its orders, as long as nothing of it is forgotten early.
      const workload = createWorkload({
        seed,
        settings: { ...SMALL_SETTINGS, idempotencyEntries: 100_000, runChunk: 400 },
        changeSettings: false,
      });
      const state = createState();
      const mirror = createState();
      for (let index = 0; index < 400; index++) {
        const command = withVoidPrice(workload.next());
        const decision = decide(state, command);
        const mirrored = decide(mirror, mirrorCommand(command));
        expect(mirrored.kind, `seed ${seed}, command ${index}`).to.equal(decision.kind);
        const events = applyDecision(state, command, decision);
        const mirroredEvents = applyDecision(mirror, command, mirrored);
        expect(inAnyOrder(mirroredEvents)).to.deep.equal(inAnyOrder(events.map(mirrorEvent)), `seed ${seed}, ${index}`);
        fills += events.filter((event) => event.type === 'OrderFilled').length;
        workload.observe(command, decision);
      }
      expect(inAnyRun(dump(mirror))).to.deep.equal(inAnyRun(mirrorDump(dump(state))), `seed ${seed}`);
    }
    expect(fills).to.be.at.least(30 * RUNS);
  });
});

const other = (outcome: Outcome): Outcome => (outcome === 'yes' ? 'no' : 'yes');

/** A void without a price rounds the YES price down, which is not symmetric: here it always names a price. */
function withVoidPrice(command: Command): Command {
  return command.type === 'VoidMarket' ? { ...command, priceUnits: command.priceUnits ?? 4_321 } : command;
}

function mirrorCommand(command: Command): Command {
  switch (command.type) {
    case 'PlaceOrder':
    case 'ResolveMarket':
      return { ...command, outcome: other(command.outcome) };
    case 'CancelOrders':
      return { ...command, outcome: command.outcome === null ? null : other(command.outcome) };
    case 'VoidMarket':
      return { ...command, priceUnits: 10_000 - (command.priceUnits ?? 0) };
    case 'ListMarket':
      return { ...command, priorUnits: 10_000 - command.priorUnits };
    default:
      return command;
  }
}

function mirrorEvent(event: ExchangeEvent): ExchangeEvent {
  switch (event.type) {
    case 'OrderPlaced':
    case 'OrderAmended':
    case 'OrderReplaced':
    case 'OrderCancelled':
    case 'PositionSettled':
    case 'MarketResolved':
      return { ...event, outcome: other(event.outcome) };
    case 'OrderFilled':
      return {
        ...event,
        makerOutcome: other(event.makerOutcome),
        takerOutcome: other(event.takerOutcome),
        yesPriceUnits: 10_000 - event.yesPriceUnits,
      };
    case 'SharesMerged':
      return { ...event, noCostUnits: event.yesCostUnits, yesCostUnits: event.noCostUnits };
    case 'MarketVoided':
      return { ...event, priceUnits: 10_000 - event.priceUnits };
    case 'MarketListed':
      return { ...event, priorUnits: 10_000 - event.priorUnits };
    default:
      return event;
  }
}

/** The events of a run as a set; those of any other decision in order. */
function inAnyOrder(events: readonly ExchangeEvent[]): readonly ExchangeEvent[] {
  if (events[0]?.type === 'OrderPlaced') return events;
  const text = (event: ExchangeEvent): string => `${event.type} ${JSON.stringify(event)}`;
  return [...events].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

/** The sequences of a run's cancels depend on their order. */
function inAnyRun(picture: StateDump) {
  const { tools } = picture;
  return { ...picture, tools: { ...tools, endedClientOrderIds: tools.endedClientOrderIds.length } };
}

function mirrorDump(picture: StateDump): StateDump {
  return { ...picture, markets: picture.markets.map(([id, market]) => [id, mirrorMarket(market)]) };
}

function mirrorMarket(market: MarketDump): MarketDump {
  const side = (levels: MarketDump['bids']): MarketDump['bids'] =>
    levels.map(([price, orders]) => [
      10_000 - price,
      orders.map(([id, account, outcome, ...rest]) => [id, account, other(outcome), ...rest]),
    ]);
  return {
    ...market,
    asks: side(market.bids),
    bids: side(market.asks),
    lastTrade: market.lastTrade === null ? null : 10_000 - market.lastTrade,
    positions: market.positions.map(([id, at]) => [
      id,
      {
        no: at.yes,
        noCost: at.yesCost,
        noReserved: at.yesReserved,
        yes: at.no,
        yesCost: at.noCost,
        yesReserved: at.noReserved,
      },
    ]),
    probabilityHalf: 20_000 - market.probabilityHalf,
  };
}
