import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startFakeEventStore } from './fake-eventstore/server.ts';
import type { FakeEventStore } from './fake-eventstore/server.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const running: ChildProcess[] = [];

/**
 * Runs the lines in a separate process, with `journal` open on the server, and returns the output and the exit code.
 */
async function run(server: FakeEventStore, lines: string): Promise<Ended> {
  const script = `
    import { createEventStoreJournal, EMPTY_HEAD } from '@paper/journal';
    import { goldenEvents } from './packages/core/journal/test/golden/golden.ts';
    const journal = await createEventStoreJournal({ connectionString: '${server.connectionString()}', readTimeoutMs: 600_000 });
    ${lines}
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], { cwd: root });
  running.push(child);
  const [, out, err] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return { code: child.exitCode, output: `${out}${err}` };
}

describe('a process with a journal in EventStoreDB', function () {
  this.timeout(60_000);
  let server: FakeEventStore;

  beforeEach(async () => {
    server = await startFakeEventStore();
  });

  afterEach(async () => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
    await server.close();
  });

  it('ends by itself when the journal is closed, whatever was under way', async () => {
    // Opening reads once; nothing after that is answered.
    server.faults.while('read', () => (server.faults.calls('read') > 1 ? { after: 0, kind: 'silence' } : undefined));
    const closing = run(
      server,
      `
      const pages = journal.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
      const next = pages.next();
      const reading = journal.read(1, 10).catch((error) => error);
      const head = journal.head().catch((error) => error);
      await new Promise((resolve) => setTimeout(resolve, 0));
      await journal.close();
      await Promise.all([reading, head]);
      console.log('done:', (await next).done);
      `,
    );
    expect(await closing).to.deep.equal({ code: 0, output: 'done: true\n' });
  });
});
