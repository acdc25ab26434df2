import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { callOf, COMMANDS, exampleOf, helpOf, parseArguments, UsageError } from '@paper/commands';
import type { CommandDeclaration } from '@paper/commands';
import { isInstalled } from '@paper/runtime';
import { eventually, IS_LONG_RUN, longTest } from '@paper/testkit';
import { temporaryDataDir } from '@paper/testkit/exchange';
import { placeCluster } from '@paper/testkit/servers';
import { expect } from 'chai';

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly stdout: string;
}

/** Each command and subcommand as it is called; those that pass their arguments on have their own. */
const CALLS = Object.entries(COMMANDS).flatMap(([name, declared]) => [
  { name, subcommand: null, command: declared, declared },
  ...Object.entries<CommandDeclaration>(declared.commands ?? {}).map(([subcommand, command]) => {
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
  ['tape FOLDER', /FOLDER/],
  ['backtest made-news -- true', /FOLDER/],
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

/** Those of them that every run of CI makes: each kind of program once. */
const OFTEN_MISSING = /^(start --port|services status|portal invite$|audit verify|backup|rotate|rebuild)/;

/** Calls that every run of CI asks for help as typed. Of the others it asks the entry's own functions. */
const STARTED = /^npm (start$|run (start:services|audit -- verify|backup|mcp|check)$)/;

/** The entry's answer to an option that the call does not have: its message and exit code. */
function refusal(name: string, declared: CommandDeclaration, [, ...args]: readonly string[]): Ended {
  try {
    parseArguments(name, declared, [...args, '--hlep']);
  } catch (error) {
    if (error instanceof UsageError) return { code: 2, stderr: error.message, stdout: '' };
    throw error;
  }
  return { code: 0, stderr: '', stdout: '' };
}

/** The files of the calls by the word that stands for each. */
const FILES = {
  FILE: 'a-token-of-the-test',
  QUESTIONS: JSON.stringify({
    questions: [
      {
        ...{ id: 'a', source: 'infer', question: 'Will it rain?', freeze_datetime_value: '0.38' },
        market_info_close_datetime: '2099-01-02T23:59:00+00:00',
      },
    ],
  }),
  SIGNALS: JSON.stringify({
    ...{ externalId: '1', source: 'w', headline: 'It rains', citationUrl: 'https://w.example/' },
    publishedAt: '2026-01-01T00:00:00Z',
  }),
  SECRET: 'a secret of the portal of forty characters',
  ROLE: 'postgresql://paper_command:former@127.0.0.1/paper',
};

/** Those of the calls below that every run of CI interrupts: each kind of them once. The others take long. */
const OFTEN: readonly string[] = ['audit verify', 'backup', 'services status --data-dir SET'];

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
  'portal invite --url URL',
  'portal invites',
  'portal revoke x',
  'services status --data-dir SET',
  'services restart query-api-1 --data-dir SET',
  'open-account Ann --url URL --token-file FILE',
  'import-markets --format forecastbench QUESTIONS --url URL --token-file FILE',
  'import-signals --format jsonl SIGNALS --url URL --token-file FILE',
  'resolve-markets --format forecastbench FILE --url URL --token-file FILE',
  'rotate passwords --command-database-url-file ROLE',
  'rotate portal-secret --portal-secret-file SECRET',
];

/** Calls that run until they are interrupted, each with what it prints once it runs, and with what is typed before. */
const RUNNING: readonly (readonly [line: string, runs: RegExp, typed?: string])[] = [
  ['start --port 0 --metrics-port 0 --reserve-mb 0 --demo off --house-bots off', /Ctrl-C stops it\./],
  ['start:services --port 0 --redis-url redis://ADDRESS', /Waiting for (Postgres|Redis) /],
  [
    'mcp --url URL --api-key-file FILE',
    /"serverInfo"/,
    JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a-test', version: '1' } },
    }),
  ],
];

/** What is in a data folder only while something runs on it. */
const OF_A_RUN = /\.lock$|^(service|postgres)\.json$|\.(sock|new|draft)$/;
/** A mode of the terminal that is turned off, such as its line wrap. */
const TURNED_OFF = /\u001b\[\?\d+l/;

describe('every npm command', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-commands-'));
  const nowhere = path.join(folder, 'nowhere');
  for (const [name, content] of Object.entries(FILES)) writeFileSync(path.join(folder, name), content, { mode: 0o600 });
  const sockets = new Set<Socket>();
  const silence = (): Server => createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  const silent = silence();
  // A set of services, as it is found by its folder, that never answers.
  const set = path.join(folder, 'set');
  const control = silence();

  before(async () => {
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    mkdirSync(set);
    const socket = path.join(set, 'control.sock');
    await once(control.listen(socket), 'listening');
    writeFileSync(path.join(set, 'services.json'), JSON.stringify({ pid: process.pid, socket }));
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of [silent, control]) server.close();
    rmSync(folder, { recursive: true });
  });

  const address = (): string => `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const wordsOf = (line: string): readonly string[] =>
    line
      .replace(/\b[A-Z]+\b/g, (name) => (Object.hasOwn(FILES, name) ? path.join(folder, name) : name))
      .replaceAll('FOLDER', nowhere)
      .replace(/\bSET\b/, set)
      .replaceAll('URL', `http://${address()}`)
      .replaceAll('ADDRESS', address())
      .split(' ');
  const envOf = (databaseUrl: string, dataDir = nowhere): NodeJS.ProcessEnv => ({
    ...process.env,
    DATA_DIR: dataDir,
    BACKUP_DIR: path.join(nowhere, 'backups'),
    DATABASE_URL: databaseUrl,
    EVENTSTORE_URL: '',
    JOURNAL_URL: '',
    OPERATOR_TOKEN: '',
    npm_lifecycle_event: undefined,
  });
  const cwd = path.resolve(import.meta.dirname, '../..');
  const run = async (words: readonly string[]): Promise<Ended> => {
    const child = spawn(process.execPath, ['scripts/run.mjs', ...words], {
      ...{ cwd, env: envOf('') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, stdout, stderr };
  };

  /** Runs a call on a terminal, which util-linux makes, until it prints this and Ctrl-C is typed. */
  const interruptOnTerminal = async (words: readonly string[], runs: RegExp, env: NodeJS.ProcessEnv, typed = '') => {
    const command = ['exec', process.execPath, 'scripts/run.mjs', ...words].join(' ');
    const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      ...{ cwd, env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    terminal.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    const ended = once(terminal, 'close');
    try {
      terminal.stdin.write(typed);
      await eventually('it runs', () => runs.test(shown) || terminal.exitCode !== null, { withinMs: 60_000 });
      terminal.stdin.write('\u0003');
      await ended;
    } finally {
      terminal.kill('SIGKILL');
    }
    expect(shown).to.match(runs).and.not.match(TURNED_OFF);
    return { code: terminal.exitCode, shown };
  };
  const needsTerminal = (context: Mocha.Context): void => {
    if (process.platform !== 'linux' || !isInstalled('script')) context.skip();
  };

  const { version } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
    readonly version: string;
  };
  for (const { name, subcommand, command, declared } of CALLS) {
    const call = callOf(name, subcommand);
    const words = subcommand === null ? [name] : [name, subcommand];
    const flags = Object.keys(command.options ?? {}).map((option) => `--${option}`);

    it(`explains itself, and refuses an option that it has not: ${call}`, async () => {
      const isStarted = IS_LONG_RUN || STARTED.test(call);
      const [help, printed, unknown] = await Promise.all([
        isStarted
          ? run([...words, '--help'])
          : { code: 0, stderr: '', stdout: helpOf(name, declared, subcommand ?? undefined) },
        // One line of the entry prints it, for every command.
        name === 'start' || IS_LONG_RUN ? run([...words, '--version']) : null,
        // What passes its arguments on would run.
        command.passes === true ? null : isStarted ? run([...words, '--hlep']) : refusal(name, declared, words),
      ]);
      expect(help).to.include({ code: 0, stderr: '' });
      const needed = [exampleOf(call, command), ...flags, ...(declared.settings ?? []).map(([setting]) => setting)];
      for (const part of [...needed, 'Exit codes:', '\n  130  interrupted']) expect(help.stdout).to.include(part);
      if (printed !== null) expect(printed).to.deep.equal({ code: 0, stderr: '', stdout: `${version}\n` });
      if (unknown === null) return;
      expect(unknown).to.include({ code: 2, stdout: '' });
      expect(unknown.stderr).to.include(
        command.commands === undefined || command.alone ? 'mean --help?' : 'There are: ',
      );
    });
  }

  for (const [line, names] of MISSING) {
    it(`ends with 2 where it cannot run: ${line}`, async function () {
      if (!OFTEN_MISSING.test(line)) longTest(this);
      const { code, stderr, stdout } = await run(wordsOf(line));
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(
        names.source.includes('FOLDER') ? new RegExp(names.source.replace('FOLDER', nowhere)) : names,
      );
    });
  }

  for (const line of WAITING) {
    it(`says what it waits for, and ends with 130 where it is interrupted: ${line}`, async function () {
      if (!OFTEN.includes(line)) longTest(this);
      needsTerminal(this);
      const words = wordsOf(line);
      const env = envOf(`postgresql://paper@${address()}/paper`);
      const { code, shown } = await interruptOnTerminal(words, / … \d+ s/, env);
      const [name = '', subcommand = ''] = words;
      const { interrupted = 'Nothing remains.' } = { ...COMMANDS[name], ...COMMANDS[name]?.commands?.[subcommand] };
      expect(code, shown).to.equal(130);
      // The line of progress was cleared before.
      expect(shown.endsWith(`\r\u001b[KInterrupted. ${interrupted}\r\n`), shown).to.equal(true);
    });
  }

  for (const [line, runs, typed] of RUNNING) {
    it(`stops in order where it is interrupted, and leaves nothing of its run: ${line}`, async function () {
      if (line.startsWith('start:services')) longTest(this);
      needsTerminal(this);
      if (line.startsWith('start:services') && !isInstalled('haproxy')) this.skip();
      const made = temporaryDataDir();
      const { dataDir } = made;
      const ofStart = line.startsWith('start ') ? '' : `postgresql://paper@${address()}/paper`;
      if (ofStart === '') await placeCluster(dataDir);
      const env = envOf(ofStart, dataDir);
      const { code, shown } = await interruptOnTerminal(wordsOf(line), runs, env, `${typed ?? ''}\n`);
      expect(code, shown).to.equal(0);
      expect(readdirSync(dataDir).filter((name) => OF_A_RUN.test(name))).to.deep.equal([]);
      made.remove();
    });
  }
});
