import { decodeEvent } from '@paper/journal';
import { expect } from 'chai';
import { ask, bid, level, levels, order, playEvents, trade } from './played-tape.ts';

describe('the houses that play a tape', function () {
  this.timeout(30_000);

  it('trade on where a command ended at its limit of fills', async () => {
    const { exchange, houses, move, participants } = await playEvents([levels(0, [], [ask(5_000, 50)])]);
    const [ann] = participants;
    if (ann === undefined) throw new Error('nobody takes part');
    for (let index = 0; index < 600; index += 1) await order(exchange, ann, 'no', 5_100, 1, 'GTC');
    await move([trade(10, 'yes', 5_000, 650, null)]);
    const fills = exchange.journal
      .map((stored) => decodeEvent(stored).event)
      .filter(({ type }) => type === 'OrderFilled');
    expect(fills).to.have.length(601);
    expect(exchange.state().markets.get('m')?.book.orders).to.equal(0);
    expect(exchange.state().accounts.get(houses.mirror)?.openOrders).to.equal(0);
  });

  it('merge pairs when their money is low, and count what they have none for', async () => {
    const { exchange, houses, move, player } = await playEvents([levels(0, [], [ask(5_000, 15_000_000)])]);
    const merged = (accountId: string): number =>
      exchange.journal
        .map((stored) => decodeEvent(stored).event)
        .reduce(
          (sum, event) => sum + (event.type === 'SharesMerged' && event.accountId === accountId ? event.quantity : 0),
          0,
        );
    await move([trade(10, 'yes', 5_000, 15_000_000, 0)]);
    await move([level(20, bid(5_000, 4_000_000))]);
    expect(merged(houses.flow)).to.equal(0);
    await move([trade(30, 'no', 5_000, 4_000_000, 0)]);
    expect(merged(houses.flow)).to.equal(4_000_000);
    expect(player.unfunded).to.equal(0);
    // $1,000,000 a million shares at 0.50: more than the mirror has, its pairs merged.
    await move([level(40, ask(5_000, 20_000_000))]);
    expect(merged(houses.mirror)).to.equal(4_000_000);
    expect(player.unfunded).to.equal(20_000_000);
    await move([level(50, ask(5_000, 0)), level(50, bid(4_000, 10))]);
    expect(exchange.state().markets.get('m')?.book.yes.best?.quantity).to.equal(10);
  });
});
