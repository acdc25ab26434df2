import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { callOf, COMMANDS, exampleOf } from '@paper/commands';
import type { Declared } from '@paper/commands';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';

/** Each command and subcommand as it is called; those that pass their arguments on have their own. */
const CALLS = Object.entries(COMMANDS).flatMap(([name, declared]) => [
  { name, subcommand: null, command: declared, declared },
  ...Object.entries<Declared>(declared.commands ?? {}).map(([subcommand, command]) => {
    return { name, subcommand, command, declared };
  }),
]);

/** A call that finds neither a service nor a folder, and what its message has to name. */
const MISSING: readonly (readonly [line: string, names: RegExp])[] = [
  ['start --port none', /PORT: must be a whole number/],
  ['start:services', /DATABASE_URL: must be set/],
  ['services status', /FOLDER/],
  ['services restart query-api-1', /FOLDER/],
  ['roles', /DATABASE_URL: must be set/],
  ['portal invite', /FOLDER/],
  ['portal invites', /FOLDER/],
  ['portal revoke x', /FOLDER/],
  ['mcp', /FOLDER/],
  ['open-account Ann', /FOLDER/],
  ['import-markets --format forecastbench FILE', /FOLDER/],
  ['import-signals --format jsonl FILE', /FOLDER/],
  ['resolve-markets --format forecastbench FILE', /FOLDER/],
  ['audit verify', /FOLDER/],
  ['audit head', /FOLDER/],
  ['audit timeline m', /FOLDER/],
  ['audit account a', /FOLDER/],
  ['audit book m', /FOLDER/],
  ['export --out FOLDER/out', /FOLDER/],
  ['snapshot', /FOLDER/],
  ['backup', /FOLDER/],
  ['restore', /FOLDER/],
  ['rotate passwords', /COMMAND_DATABASE_URL_FILE/],
  ['rotate tokens operator', /FOLDER/],
  ['rotate portal-secret', /FOLDER/],
  ['rotate mcp-secret', /FOLDER/],
  ['rotate certificates', /FRONT_DOOR_CERTIFICATE/],
  ['rebuild', /FOLDER/],
];

/** Calls that wait for a server that never answers. */
const WAITING = [
  'audit verify',
  'audit head',
  'audit book m',
  'rebuild',
  'export --out FOLDER/out',
  'snapshot',
  'backup',
  'roles',
  'portal invites',
  'open-account Ann --url URL --token-file FILE',
  'resolve-markets --format forecastbench FILE --url URL --token-file FILE',
];

describe('every npm command', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-commands-'));
  const nowhere = path.join(folder, 'nowhere');
  const file = path.join(folder, 'file');
  writeFileSync(file, 'a-token-of-the-test', { mode: 0o600 });
  const sockets = new Set<Socket>();
  let silent: Server;

  before(async () => {
    silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
    rmSync(folder, { recursive: true });
  });

  const address = (): string => `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const wordsOf = (line: string): readonly string[] =>
    line.replaceAll('FILE', file).replaceAll('FOLDER', nowhere).replaceAll('URL', `http://${address()}`).split(' ');
  const envOf = (databaseUrl: string): NodeJS.ProcessEnv => ({
    ...process.env,
    DATA_DIR: nowhere,
    BACKUP_DIR: path.join(nowhere, 'backups'),
    DATABASE_URL: databaseUrl,
    EVENTSTORE_URL: '',
    JOURNAL_URL: '',
    OPERATOR_TOKEN: '',
    npm_lifecycle_event: undefined,
  });
  const start = (words: readonly string[], databaseUrl = ''): ChildProcess =>
    spawn(process.execPath, ['scripts/run.mjs', ...words], {
      cwd: path.resolve(import.meta.dirname, '../..'),
      env: envOf(databaseUrl),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const run = async (words: readonly string[]) => {
    const child = start(words);
    const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
    return { code: child.exitCode, stdout, stderr };
  };

  const { version } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
    readonly version: string;
  };
  for (const { name, subcommand, command, declared } of CALLS) {
    const call = callOf(name, subcommand);
    const words = subcommand === null ? [name] : [name, subcommand];
    const flags = Object.keys(command.options ?? {}).map((option) => `--${option}`);

    it(`explains itself, and refuses an option that it has not: ${call}`, async () => {
      const [help, printed, unknown] = await Promise.all([
        run([...words, '--help']),
        run([...words, '--version']),
        // What passes its arguments on would run.
        command.passes === true ? null : run([...words, '--hlep']),
      ]);
      expect(help).to.include({ code: 0, stderr: '' });
      const needed = [exampleOf(call, command), ...flags, ...(declared.settings ?? []).map(([setting]) => setting)];
      for (const part of [...needed, 'Exit codes:', '\n  130  interrupted']) expect(help.stdout).to.include(part);
      expect(printed).to.deep.equal({ code: 0, stderr: '', stdout: `${version}\n` });
      if (unknown === null) return;
      expect(unknown).to.include({ code: 2, stdout: '' });
      expect(unknown.stderr).to.include(
        command.commands === undefined || command.alone ? 'mean --help?' : 'There are: ',
      );
    });
  }

  for (const [line, names] of MISSING) {
    it(`ends with 2 where it cannot run: ${line}`, async () => {
      const { code, stderr, stdout } = await run(wordsOf(line));
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(
        names.source.includes('FOLDER') ? new RegExp(names.source.replace('FOLDER', nowhere)) : names,
      );
    });
  }

  for (const line of WAITING) {
    it(`says what it waits for, and ends with 130 where it is interrupted: ${line}`, async () => {
      const words = wordsOf(line);
      const child = start(words, `postgresql://paper@${address()}/paper`);
      let stderr = '';
      child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const ended = once(child, 'close');
      await eventually('a line', () => / … \d+ s/.test(stderr));
      child.kill('SIGINT');
      await ended;
      const [name = '', subcommand = ''] = words;
      const { interrupted = 'Nothing remains.' } = { ...COMMANDS[name], ...COMMANDS[name]?.commands?.[subcommand] };
      expect({ code: child.exitCode, last: stderr.trimEnd().split('\n').at(-1) }).to.deep.equal({
        code: 130,
        last: `Interrupted. ${interrupted}`,
      });
    });
  }
});
