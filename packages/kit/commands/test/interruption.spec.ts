import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';

const PROGRAM = path.join(import.meta.dirname, 'interrupted-program.ts');
/** The line that is updated is removed. */
const CLEARED = '\r\u001b[K';
/** Nothing else of the terminal is changed: a bar left it without line wrap. */
const TURNED_OFF = /\u001b\[\?\d+l/;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly shown: string;
}

/** Runs the program on what it takes for a terminal, and lets `interrupt` act once its bar is shown. */
async function run(
  args: readonly string[],
  interrupt: (kill: (signal: NodeJS.Signals) => void, isRunning: () => boolean) => Promise<void>,
): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, ...(args.length === 0 ? ['usual'] : args)]);
  let [out, shown] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const closed = once(child, 'close');
  await eventually('the bar', () => shown.includes('copying … '));
  await interrupt(
    (signal) => child.kill(signal),
    () => child.exitCode === null,
  );
  await closed;
  return { code: child.exitCode, out, shown };
}

describe('a command that shows its progress', function () {
  this.timeout(30_000);

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`undoes its work at ${signal}, says so, ends with ${code} and leaves the terminal as it was`, async () => {
      const { out, shown, ...ended } = await run([], async (kill) => {
        // Ctrl-C comes twice under npm.
        kill(signal);
        kill(signal);
        await Promise.resolve();
      });
      expect(ended.code).to.equal(code);
      expect(out).to.equal('what was begun is removed');
      expect(shown.endsWith(`${CLEARED}Interrupted. No snapshot is stored.\n`), shown).to.equal(true);
      expect(shown).not.to.match(TURNED_OFF);
    });
  }

  it('ends at a second Ctrl-C also where it waits for a silent server', async () => {
    const { code, shown } = await run(['silent'], (kill, isRunning) =>
      eventually('the end', () => {
        kill('SIGINT');
        return !isRunning();
      }),
    );
    expect(code).to.equal(130);
    expect(shown).not.to.match(TURNED_OFF);
  });
});
