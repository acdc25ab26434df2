import { createMemoryJournal, EMPTY_HEAD } from '@paper/journal';
import { expect } from 'chai';
import { CommandHistory, listMarket, openAccount, StoredExchange, verifiedPages } from '../src/index.ts';
import type { HistoryFault } from '../src/index.ts';

/** A history of commands by their ids, and the faults that it finds in the given journal. */
async function read(exchange: StoredExchange, refused: readonly string[] = []) {
  const faults: HistoryFault[] = [];
  const history = new CommandHistory(
    ({ id }) => [id],
    (fault) => faults.push(fault),
  );
  for (const id of refused) history.refuse(id, 'refused');
  const begun: string[] = [];
  for await (const { events } of verifiedPages(exchange.journal, EMPTY_HEAD)) {
    for (const event of events) {
      const decision = history.add(event);
      if (decision !== null) begun.push(decision.command.id);
    }
  }
  return { begun, faults, history };
}

describe('the history of commands', () => {
  it('finds each decision whole, with its sequences', async () => {
    const exchange = new StoredExchange(createMemoryJournal());
    const [account, market] = [openAccount('ann'), listMarket('m')];
    await exchange.submit(account);
    await exchange.submit(market);
    const { begun, faults, history } = await read(exchange);
    expect(begun).to.deep.equal([account.id, market.id]);
    expect(history.find(market.id)).to.include({ lastSeq: exchange.head.seq });
    expect(history.find(account.id)?.events.length).to.equal((history.find(market.id)?.seq ?? 0) - 1);
    expect(history.find('another')).to.equal(undefined);
    expect(faults).to.deep.equal([]);
  });

  it('reports a command that is there though it was refused, before or after it was read', async () => {
    const exchange = new StoredExchange(createMemoryJournal());
    const market = listMarket('m');
    await exchange.submit(market);
    const { faults, history } = await read(exchange, [market.id]);
    history.refuse(market.id, 'refused');
    const fault = { kind: 'refused', name: market.id, answer: 'refused', seq: 1 };
    expect(faults).to.deep.equal([fault, fault]);
  });

  it('reports a command that is there twice', async () => {
    const exchange = new StoredExchange(createMemoryJournal());
    const one = listMarket('m');
    await exchange.submit(one);
    await exchange.submit({ ...listMarket('n'), id: one.id });
    const { faults, history } = await read(exchange);
    expect(faults).to.deep.equal([{ kind: 'twice', name: one.id, first: history.find(one.id), seq: 2 }]);
  });
});
