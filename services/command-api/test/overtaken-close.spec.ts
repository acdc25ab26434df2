import { marketView } from '@paper/exchange';
import type { MarketView } from '@paper/exchange';
import { base, listMarket, openAccount, OPERATOR, startEpoch, StoredExchange, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import { Market } from '@paper/contracts/markets';
import { submitForMarket } from '../src/answers/markets.ts';
import type { CommandGateway } from '../src/command-gateway.ts';

const CALL = { caller: { kind: 'operator', name: 'ops', scopes: null }, idempotency: null } as const;

/** The answer to a repeated close of a market that is resolved now, whose first record without orders is this one. */
async function replayOfClose(recordOf: (present: MarketView) => MarketView) {
  const exchange = new StoredExchange();
  for (const command of [startEpoch(), openAccount('ann'), listMarket('m')]) await exchange.submit(command);
  const resolution = { citationUrl: null, headline: null, marketId: 'm', outcome: 'yes', source: null } as const;
  await exchange.submit({ ...base(OPERATOR, 'resolve'), ...resolution, type: 'ResolveMarket' });
  await exchange.submit({ ...base(SYSTEM, 'settle'), marketId: 'm', type: 'ContinueRun' });
  const present = marketView(exchange.state, 'm');
  if (present === null) throw new Error('the market is not there');
  const record = recordOf(present);
  const gateway = {
    submit: async (_lane: unknown, _command: unknown, answer: (decision: object, state: object) => unknown) => ({
      ...{ changed: true, hash: '', replayed: true, seq: 9 },
      value: answer({ kind: 'replayed', seq: 4 }, exchange.state),
    }),
    readModel: { fresh: () => Promise.resolve(), marketRecord: () => Promise.resolve(record) },
  } as unknown as CommandGateway;
  const { value } = await submitForMarket(gateway, CALL, { marketId: 'm', type: 'CloseMarket' });
  return { value, present: Market.body(present), record: Market.body(record) };
}

describe('a repeated close of a market', () => {
  it('shows the market as the close left it, whatever happened since', async () => {
    const { record, value } = await replayOfClose((present) => ({
      ...present,
      phase: 'closed',
      resolvedOutcome: null,
    }));
    expect(value).to.deep.equal(record);
  });

  it('shows the settled market where a resolution came before the close had ended: only then was it answered', async () => {
    const { present, record, value } = await replayOfClose((market) => ({ ...market, phase: 'settling' }));
    expect(value).to.deep.equal(present);
    expect(value).to.not.deep.equal(record);
  });
});
