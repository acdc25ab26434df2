import { endpoints } from '@paper/contracts';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { createMemoryNames } from '@paper/names';
import type { ProjectionReport } from '@paper/read-models';
import { createLogger, createMetrics } from '@paper/runtime';
import type { Lease } from '@paper/runtime';
import { expect } from 'chai';
import { createCommandSide } from '../../src/command-side.ts';
import type { CommandSide } from '../../src/command-side.ts';
import { codeOf } from '@paper/command-side/test/writer-harness';
import { eventually } from '@paper/testkit';

/** A command side that leads for as long as the test says. */
async function leading(
  projections: (journalSeq: number) => Promise<readonly ProjectionReport[]>,
  wrap: (inner: Journal) => Journal = (inner) => inner,
) {
  let held = true;
  let released = 0;
  const lease: Lease = {
    acquire: () =>
      Promise.resolve({
        held: () => held,
        hasSuccessor: () => Promise.resolve(false),
        stepDown: () => undefined,
        lost: new AbortController().signal,
        release: () => {
          released += 1;
          return Promise.resolve();
        },
      }),
    seenAt: () => null,
  };
  const journal = wrap(createMemoryJournal(createMemoryLog()));
  const side = createCommandSide({
    build: '0.1.0-test',
    journal,
    lease,
    logger: createLogger({ level: 'silent', name: 'test' }),
    metrics: createMetrics(),
    onFenced: () => undefined,
    projections,
    fingerprintSecret: Buffer.alloc(32, 1),
    names: createMemoryNames(),
    readModel: {
      order: () => Promise.resolve(null),
      marketRecord: () => Promise.resolve(null),
      fresh: () => Promise.resolve(),
      key: () => Promise.resolve(null),
      keyHolder: () => Promise.resolve(null),
      keyOwner: () => Promise.resolve(null),
      publicName: () => Promise.resolve(null),
    },
    settings: DEFAULT_SETTINGS,
    shard: 'main',
  });
  await side.start();
  return { side, lose: () => (held = false), released: () => released };
}

async function statusOf({ routes }: CommandSide): Promise<unknown> {
  const found = routes.find(({ endpoint }) => endpoint.id === endpoints.getOperatorStatus.id);
  return found?.handler(
    { kind: 'operator', name: 'ops', scopes: null },
    { body: {}, idempotency: null, params: {}, query: {} },
    { signal: new AbortController().signal, address: 'address:test' },
  );
}

describe("the operator's status", () => {
  it("measures the lag of projections from the writer's head, without reading the journal", async () => {
    const asked: number[] = [];
    const { side } = await leading((journalSeq) => {
      asked.push(journalSeq);
      return Promise.resolve([]);
    });
    expect(await statusOf(side)).to.deep.include({ seq: 1 });
    expect(asked).to.deep.equal([1]);
    await side.stop(1);
  });

  it('is 503 after the lead is lost, and the projections are not even asked', async () => {
    let asked = 0;
    const { side, lose } = await leading(() => {
      asked += 1;
      return Promise.resolve([]);
    });
    lose();
    expect(await codeOf(statusOf(side))).to.equal('unavailable');
    expect(asked).to.equal(0);
    await side.stop(1);
  });

  it('is 503 where the lease was lost while the projections were read', async () => {
    const { side, lose } = await leading(() => {
      lose();
      return Promise.resolve([]);
    });
    expect(await codeOf(statusOf(side))).to.equal('unavailable');
    await side.stop(1);
  });

  describe('while something is wrong with the journal', () => {
    const report = { name: 'main', seq: 1, lagEvents: 0, lagMs: 0, problem: null };
    const problemOf = async (side: CommandSide): Promise<unknown> => {
      const { body } = (await statusOf(side)) as { readonly body: { readonly projections: ProjectionReport[] } };
      const named = body.projections[0]?.problem ?? null;
      const readiness = await side.journalReadiness.check().then(
        () => null,
        (error: unknown) => (error as Error).message,
      );
      expect(readiness, 'readiness names the same').to.equal(named);
      return named;
    };

    // The problem was null during an outage.
    it('is answered, and names the outage', async () => {
      let away = false;
      const { side } = await leading(
        () => Promise.resolve([report]),
        (inner) => ({ ...inner, head: () => (away ? new Promise(() => undefined) : inner.head()) }),
      );
      expect(await problemOf(side)).to.equal(null);
      away = true;
      await eventually('the outage is named', async () =>
        /^the journal does not answer: bring its server back/.test(String(await problemOf(side))),
      );
      await side.stop(1);
    });

    it('is answered, and names what can remove events, and the command that mends it', async () => {
      let threat: string | null = null;
      const { side } = await leading(
        () => Promise.resolve([report]),
        (inner) => ({ ...inner, threat: () => threat }),
      );
      expect(await problemOf(side)).to.equal(null);
      threat = 'its metadata has $maxCount = 1000. Run `npm run roles`';
      expect(await problemOf(side)).to.equal(threat);
      await side.stop(1);
    });
  });

  it('gives up the lease when it stops, so that another need not wait for its end', async () => {
    const { side, released } = await leading(() => Promise.resolve([]));
    expect(released()).to.equal(0);
    await side.stop(1);
    expect(released()).to.equal(1);
  });
});
