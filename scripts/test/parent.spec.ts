import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInstalled } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';

const PARENT = path.resolve(import.meta.dirname, '../run/parent.mjs');

/** A command of npm: it says that it runs, and ends as it is asked to. */
const COMMAND = `
  import { endWithParent } from ${JSON.stringify(PARENT)};
  import { existsSync, renameSync, writeFileSync } from 'node:fs';
  endWithParent();
  process.on('SIGTERM', () => {
    writeFileSync('stopped', '');
    process.exit(0);
  });
  let ticks = 0;
  const tick = () => {
    writeFileSync('ticks', String(++ticks));
    // As on a busy machine: it is at work until the terminal has closed, and then writes a line before it reads a signal.
    if (existsSync('be-busy')) {
      writeFileSync('busy', '');
      while (!existsSync('closed'));
      process.stderr.write('a line of the log');
    }
  };
  tick();
  setInterval(tick, 100);
  writeFileSync('pids.draft', JSON.stringify({ npm: process.ppid, command: process.pid }));
  renameSync('pids.draft', 'pids');`;

/** As npm does: a process of Node that runs the command in its own process group. */
const NPM = `
  const { spawn } = require('node:child_process');
  const args = ['--input-type=module', '--eval', process.env.COMMAND];
  spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, npm_lifecycle_event: 'start' } });`;

describe('a command of npm', function () {
  this.timeout(30_000);
  let folder: string;
  let shell: ChildProcess | null = null;

  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'npm-command-'))));
  afterEach(() => {
    shell?.kill('SIGKILL');
    for (const pid of existsSync(path.join(folder, 'pids')) ? Object.values(pids()) : []) end(pid, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const pids = (): { readonly npm: number; readonly command: number } =>
    JSON.parse(readFileSync(path.join(folder, 'pids'), 'utf8')) as { readonly npm: number; readonly command: number };
  const end = (pid: number, signal: NodeJS.Signals): void => {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  };
  const ticks = (): number => Number(readFileSync(path.join(folder, 'ticks'), 'utf8'));
  const hasStopped = (): boolean => existsSync(path.join(folder, 'stopped'));

  /** Starts `NPM` by a program with these arguments, and waits until its command runs. */
  async function start(program: string, args: readonly string[]): Promise<void> {
    shell = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, COMMAND, NPM, NODE: process.execPath },
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    });
    await eventually('the command runs', () => existsSync(path.join(folder, 'pids')));
  }

  it('goes on when the shell of `nohup npm start &` and its npm end, until it is stopped itself', async () => {
    await start('sh', ['-c', 'nohup "$NODE" --eval "$NPM" >/dev/null 2>&1 & wait']);
    const { command, npm } = pids();
    shell?.kill('SIGKILL');
    // A terminal that is closed sends this to all of the shell's jobs, and ends npm.
    for (const pid of [npm, command]) process.kill(pid, 'SIGHUP');
    await eventually('npm has ended', () => parentOf(command) !== npm);
    // Longer than it takes to notice a parent that has ended.
    const since = ticks();
    await eventually('it lives on for a second, or has stopped', () => hasStopped() || ticks() >= since + 10);
    expect(hasStopped()).to.equal(false);
    process.kill(command, 'SIGTERM');
    await eventually('the command has stopped', hasStopped);
  });

  for (const signal of ['SIGKILL', 'SIGHUP'] as const) {
    it(`stops when the npm in a terminal's foreground gets ${signal}`, async function () {
      // util-linux makes the terminal.
      if (process.platform !== 'linux' || !isInstalled('script')) this.skip();
      await start('script', ['--quiet', '--return', '--command', 'exec "$NODE" --eval "$NPM"', '/dev/null']);
      const { command, npm } = pids();
      process.kill(signal === 'SIGHUP' ? command : npm, signal);
      await eventually('the command has stopped', hasStopped);
    });
  }

  it('stops in order when it writes to its terminal after that has closed', async function () {
    if (process.platform !== 'linux' || !isInstalled('script')) this.skip();
    await start('script', ['--quiet', '--return', '--command', 'exec "$NODE" --eval "$NPM"', '/dev/null']);
    const ended = once(shell as ChildProcess, 'exit');
    writeFileSync(path.join(folder, 'be-busy'), '');
    await eventually('the command is at work', () => existsSync(path.join(folder, 'busy')));
    process.kill(pids().npm, 'SIGKILL');
    await ended;
    writeFileSync(path.join(folder, 'closed'), '');
    await eventually('the command has stopped', hasStopped);
  });
});

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
