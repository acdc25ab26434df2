import { createLogger } from '@paper/runtime';
import { expect } from 'chai';
import type { Requests } from 'paper-trading-client';
import { DEMO_MARKETS } from '../src/demo-markets.ts';
import { seedMarkets } from '../src/seed-markets.ts';

interface Command {
  readonly id: string;
  readonly status?: string;
}

/** Seeds the demo's markets at a time, and returns the commands that were sent. */
async function seededAt(time: string): Promise<readonly Command[]> {
  const sent: Command[] = [];
  const operator = {
    request: (_operation: string, { body }: { readonly body: { readonly commands: readonly Command[] } }) => {
      sent.push(...body.commands);
      return Promise.resolve({ body: { results: body.commands.map(() => ({ ok: true })) } });
    },
  } as unknown as Requests<'runOperatorBatch'>;
  const logger = createLogger({ level: 'silent', name: 'test' });
  expect(await seedMarkets(operator, logger, Date.parse(time))).to.deep.equal(DEMO_MARKETS);
  return sent;
}

describe('listing the markets of the demo', () => {
  it('a demo that starts in years lists those closed whose closing time has passed: the service refuses others', async () => {
    expect((await seededAt('2026-11-24')).map(({ status }) => status)).to.deep.equal(DEMO_MARKETS.map(() => undefined));
    const closed = (await seededAt('2028-02-01')).filter(({ status }) => status === 'closed').map(({ id }) => id);
    const past = DEMO_MARKETS.filter(({ closesAt }) => closesAt < '2028-02-01').map(({ id }) => id);
    expect(closed).to.deep.equal(past).and.not.have.length(0);
  });
});
