import { PortError } from '@paper/contracts';
import { expect } from 'chai';
import fc from 'fast-check';
import { FairSlots } from '../src/fair-slots.ts';
import type { FairSlotsSettings } from '../src/fair-slots.ts';

/** The signal of a client that stays connected. */
const here = (): AbortSignal => new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const codeOf = (error: unknown): string => (error instanceof PortError ? error.code : String(error));

/** Slots whose work ends when the test calls `finish`. */
function byHand(settings: Partial<FairSlotsSettings> = {}) {
  const slots = new FairSlots({
    atOnce: 1,
    atOncePerAccount: 1,
    waiting: 1_000,
    waitingPerAccount: 1_000,
    waitMs: 60_000,
    what: 'the journal',
    ...settings,
  });
  const begun: { readonly name: string; readonly signal: AbortSignal; readonly finish: () => void }[] = [];
  return {
    slots,
    begun,
    use: (account: string, name: string, client = here(), fleet = account): Promise<string> => {
      const used = slots.use(
        { fleet, account },
        client,
        (signal) => new Promise<string>((resolve) => begun.push({ name, signal, finish: () => resolve(name) })),
      );
      // Those that a test leaves waiting are refused after it, which must not end the process of the other specs.
      used.catch(() => undefined);
      return used;
    },
  };
}

describe('fair slots', () => {
  it('let 150 requests of one account delay another by one piece of work, and refuse it nothing', async () => {
    const { use, begun } = byHand();
    const flood = Array.from({ length: 150 }, (_, n) => use('ann', `ann ${n}`));
    const other = use('bob', 'bob');
    begun[0]?.finish();
    await flood[0];
    await turn();
    expect(begun.map(({ name }) => name)).to.deep.equal(['ann 0', 'bob']);
    begun[1]?.finish();
    expect(await other).to.equal('bob');
    for (let n = 2; n < 151; n += 1) {
      await turn();
      begun[n]?.finish();
    }
    expect(await Promise.all(flood)).to.have.length(150);
  });

  it('take turns between fleets first, so that many accounts of one gain it nothing', async () => {
    const { use, begun } = byHand();
    for (const account of ['s1', 's2', 's3']) for (const n of [1, 2]) void use(account, `${account}.${n}`, here(), 'f');
    for (const n of [1, 2, 3]) void use('bob', `bob.${n}`);
    for (let n = 0; n < 9; n += 1) {
      begun[n]?.finish();
      await turn();
    }
    const names = begun.map(({ name }) => name.split('.')[0]);
    expect(names.slice(0, 6)).to.deep.equal(['s1', 's2', 'bob', 's3', 'bob', 's1']);
  });

  it('keep no more of one account under way than they may, whatever is free', async () => {
    const { use, begun } = byHand({ atOnce: 3, atOncePerAccount: 2 });
    for (const n of [1, 2, 3]) void use('ann', `ann ${n}`);
    void use('bob', 'bob');
    await turn();
    expect(begun.map(({ name }) => name)).to.deep.equal(['ann 1', 'ann 2', 'bob']);
    begun[0]?.finish();
    await turn();
    expect(begun.at(-1)?.name).to.equal('ann 3');
  });

  it('stay empty for as long as their work took, where they rest, and answer before that', async () => {
    const { use, begun } = byHand({ rests: true });
    const first = use('ann', 'first');
    const second = use('bob', 'second');
    const begunMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 40));
    begun[0]?.finish();
    expect(await first).to.equal('first');
    const workedMs = performance.now() - begunMs;
    while (begun.length < 2) await turn();
    // A rest is at most 100 ms, which the work exceeds on a busy machine. A timer may be a millisecond early.
    expect(performance.now() - begunMs).to.be.at.least(workedMs + Math.min(100, workedMs) - 2);
    begun[1]?.finish();
    expect(await second).to.equal('second');
  });

  it('are bounded: 429 for an account with too many that wait, 503 for anybody when all have too many', async () => {
    const { use } = byHand({ waiting: 5, waitingPerAccount: 3 });
    for (const n of [0, 1, 2, 3]) void use('ann', `ann ${n}`);
    expect(await use('ann', 'one more').catch(codeOf)).to.equal('rate_limited');
    for (const n of [0, 1]) void use('bob', `bob ${n}`);
    expect(await use('cid', 'one more').catch(codeOf)).to.equal('unavailable');
  });

  it('tell work to stop when its client was answered because it took too long, and begin nothing for it', async () => {
    const { slots, use, begun } = byHand({ waitMs: 20 });
    const late = [use('ann', 'first'), use('ann', 'second'), use('bob', 'third')];
    const codes = await Promise.all(late.map((one) => one.catch(codeOf)));
    expect(codes).to.deep.equal(['unavailable', 'unavailable', 'unavailable']);
    expect(begun.map(({ name, signal }) => [name, signal.aborted])).to.deep.equal([['first', true]]);
    expect(slots.waiting).to.equal(0);
    // The slot is free only when the work has stopped.
    begun[0]?.finish();
    await turn();
    expect([begun.length, slots.accounts]).to.deep.equal([1, 0]);
  });

  it('tell work to stop when its client has gone, and begin nothing for it', async () => {
    const { slots, use, begun } = byHand();
    const clients = [new AbortController(), new AbortController(), new AbortController()] as const;
    const asked = clients.map(({ signal }, n) => use('ann', String(n), signal).catch(String));
    await turn();
    for (const client of [clients[1], clients[0]]) client.abort(new Error('gone'));
    expect(await Promise.all(asked.slice(0, 2))).to.deep.equal(['Error: gone', 'Error: gone']);
    expect(begun.map(({ signal }) => signal.aborted)).to.deep.equal([true]);
    begun[0]?.finish();
    await turn();
    expect(begun.map(({ name }) => name)).to.deep.equal(['0', '2']);
    begun[1]?.finish();
    expect(await asked[2]).to.equal('2');
    expect([slots.waiting, slots.accounts]).to.deep.equal([0, 0]);
    expect(await use('ann', 'never', clients[0].signal).catch(String)).to.equal('Error: gone');
  });

  it('go on after work that failed', async () => {
    const { slots, use, begun } = byHand();
    const failed = slots.use({ fleet: 'ann', account: 'ann' }, here(), () => Promise.reject(new Error('broken')));
    const next = use('ann', 'next');
    expect(await failed.catch(String)).to.equal('Error: broken');
    await turn();
    begun[0]?.finish();
    expect(await next).to.equal('next');
  });

  it('answer everything, keep their bounds and keep no idle account, whatever comes and goes', async () => {
    const accounts = ['a', 'b', 'c'];
    const step = fc.oneof(
      fc.record({ use: fc.constantFrom(...accounts) }),
      fc.record({ finish: fc.nat(20) }),
      fc.record({ gone: fc.nat(40) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { slots, use, begun } = byHand({ atOnce: 3, atOncePerAccount: 2, waiting: 12, waitingPerAccount: 6 });
        const finished = new Set<number>();
        const clients: AbortController[] = [];
        const answers: Promise<unknown>[] = [];
        for (const one of steps) {
          if ('use' in one) {
            const client = new AbortController();
            clients.push(client);
            answers.push(use(one.use, one.use, client.signal).catch(codeOf));
          } else if ('gone' in one) {
            clients[one.gone]?.abort(new Error('gone'));
          } else if (one.finish < begun.length) {
            begun[one.finish]?.finish();
            finished.add(one.finish);
          }
          await turn();
          const open = begun.filter((_, n) => !finished.has(n));
          expect(open.length).to.be.at.most(3);
          for (const account of accounts) {
            expect(open.filter(({ name }) => name === account).length).to.be.at.most(2);
          }
        }
        for (let n = 0; n < begun.length; n += 1) {
          begun[n]?.finish();
          await turn();
        }
        await Promise.all(answers);
        await turn();
        expect([slots.waiting, slots.accounts]).to.deep.equal([0, 0]);
      }),
      { numRuns: 50 },
    );
  });
});
