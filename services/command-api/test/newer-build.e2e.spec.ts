import { createHash, randomUUID } from 'node:crypto';
import { createClient } from 'paper-trading-client';
import { openJournal } from '@paper/journal';
import type { Head, Journal, StoredEvent } from '@paper/journal';
import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { createContenders } from '@paper/testkit/failover';
import type { Contender, Contenders } from '@paper/testkit/failover';
import { expect } from 'chai';
import pg from 'pg';

const NEWER = 99;

/**
 * The start of an epoch as a later build would write it after `head`: the journal's first event with a higher version.
 */
function epochOfNewerBuild(first: StoredEvent, head: Head): StoredEvent {
  const seq = head.seq + 1;
  const id = randomUUID();
  const publicText = JSON.stringify({ ...(JSON.parse(first.publicText) as object), id, seq, version: NEWER });
  const sha256 = (...parts: readonly (Buffer | string)[]): Buffer => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const secret = first.privateText === null ? Buffer.alloc(32) : sha256(first.privateText);
  const hash = sha256(Buffer.from(head.hash, 'hex'), sha256(publicText), secret).toString('hex');
  return { ...first, hash, id, publicText, seq };
}

describe('a command API of this build whose journal a newer build goes on with', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let journal: Journal;
  let contenders: Contenders;

  before(async () => {
    database = await testDatabase();
    contenders = createContenders({
      DATABASE_URL: database.connectionString,
      JOURNAL_URL: '',
      OPERATOR_TOKENS: 'ops:token-of-the-newer-build-test',
    });
  });
  after(async () => {
    await contenders.stop();
    await journal.close();
    await database.close();
  });

  const term = async (): Promise<number> => {
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    const { rows } = await client.query<{ term: string }>(
      `select term from coordination.leases where name = 'writer:main'`,
    );
    await client.end();
    return Number(rows[0]?.term);
  };
  const endsWithAClearLine = async (contender: Contender, seq: number): Promise<void> => {
    await contender.ended;
    expect(contender.child.exitCode).to.equal(1);
    const [lastLine] = contender.output().trimEnd().split('\n').slice(-1);
    expect(lastLine).to.match(
      new RegExp(
        `^sequence ${seq} of the journal cannot be folded: event ${seq} cannot be read: event WriterEpochStarted ` +
          `version ${NEWER} is unknown here, the current one is \\d+\\. If a newer build wrote it, start that build`,
      ),
    );
  };

  it('ends with a clear line and exit code 1, as a standby and at a start, and is never elected', async () => {
    const leader = await contenders.start();
    await contenders.leader();
    const standby = await contenders.start();
    await contenders.standsBy(standby);
    journal = await openJournal({ databaseUrl: database.connectionString });
    const [first] = await journal.read(1, 1);
    const head = await journal.head();
    const newer = epochOfNewerBuild(first!, head);
    await journal.append(head, [newer]);
    await endsWithAClearLine(standby, newer.seq);

    // The lease is free for a process that can decide.
    await leader.stop();
    const late = await contenders.start();
    await endsWithAClearLine(late, newer.seq);
    expect(await term()).to.equal(1);
    expect(await journal.head()).to.deep.equal({ hash: newer.hash, seq: newer.seq });
  });

  it('ends with exit code 1 where it leads and is late to notice, and stores nothing behind it', async () => {
    // A journal of its own, since this build cannot lead the one above.
    const own = await testDatabase();
    const others = createContenders({
      DATABASE_URL: own.connectionString,
      JOURNAL_URL: '',
      OPERATOR_TOKENS: 'ops:token-of-the-newer-build-test',
    });
    const ownJournal = await openJournal({ databaseUrl: own.connectionString });
    try {
      const leader = await others.start();
      await others.leader();
      const [first] = await ownJournal.read(1, 1);
      const head = await ownJournal.head();
      const newer = epochOfNewerBuild(first!, head);
      await ownJournal.append(head, [newer]);
      const client = createClient({ baseUrl: leader.url, key: 'token-of-the-newer-build-test' });
      const answer = await client.request('openAccount', { body: { displayName: 'Late' } });
      expect(answer.status).to.equal(503);
      await leader.ended;
      expect(leader.child.exitCode).to.equal(1);
      expect(await ownJournal.head()).to.deep.equal({ hash: newer.hash, seq: newer.seq });
    } finally {
      await others.stop();
      await ownJournal.close();
      await own.close();
    }
  });
});
