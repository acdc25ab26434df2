import { ROLES_SETTINGS, SERVICES_SETTINGS, START_SETTINGS } from './settings.mjs';

const MCP_SETTINGS = [
  ['API_URL', 'by DATA_DIR', 'the API; default: that of the service that runs on DATA_DIR'],
  ['API_KEY', 'by DATA_DIR', "the key to act with; default: the demo account's"],
  ['DATA_DIR', './data', 'where the service runs, and the secret is stored'],
  ['MCP_SECRET', 'in DATA_DIR', 'signs prepared orders'],
  ['LOG_LEVEL', 'warn', 'of the lines on standard error'],
];

/**
 * Every command with its description. `usage`: its arguments, where they are not `[options]`. `settings`: its
 * environment variables. `own`: its program prints its own help.
 */
export const COMMANDS = {
  start: { about: 'run the whole service', settings: START_SETTINGS },
  'start:services': { about: 'run every service as processes of their own', settings: SERVICES_SETTINGS },
  services: { about: 'show the processes of start:services, or restart one', own: true },
  roles: { about: "make the database's roles, as its owner", usage: '', settings: ROLES_SETTINGS },
  portal: { about: 'invite people to sign up, and look at the invites', own: true },
  mcp: { about: 'serve agents over standard input and output', settings: MCP_SETTINGS },
  'open-account': { about: 'open an account of a running service and print its key', own: true },
  'import-markets': { about: 'list the markets of a question set', own: true },
  'import-signals': { about: 'record the cited signals of a file', own: true },
  'resolve-markets': { about: 'resolve imported markets by a resolution set', own: true },
  audit: { about: 'prove the journal and the read models, or see historical state', own: true },
  export: { about: 'write markets, orders, trades and what became of them, or the journal, as files', own: true },
  snapshot: { about: 'take a snapshot of the exchange, for a quick start', own: true },
  backup: { about: 'copy journal, names and identity into a folder while the service runs', own: true },
  rotate: { about: 'replace passwords, tokens or the portal secret without a stop', own: true },
  restore: { about: 'restore a backup into an empty place', own: true },
  rebuild: { about: 'refill the read models from the journal', own: true },
  test: {
    about: 'run the tests',
    usage: '[FILES] [mocha options]',
    notes: [
      'npm test -- packages/core/exchange/test/orders/*.spec.ts    only these',
      'npm test -- --grep "a title"                    by title',
    ],
  },
  check: { about: 'check format, lint, types and imports', usage: '' },
  format: { about: 'format every file', usage: '' },
  build: {
    about: 'compile the services and commands',
    usage: '[FOLDER]',
    notes: ['FOLDER is empty or new; default: ./dist'],
  },
  'build:python': {
    about: 'build the wheel and the sdist of the Python client',
    usage: '[FOLDER]',
    notes: ['Default: packages/clients/client-python/dist. It needs a Python with build, setuptools and wheel.'],
  },
  'build:clients': {
    about: 'build the packages of the clients',
    usage: '[FOLDER]',
    notes: ['default: ./dist/clients; a running service has them at /clients/'],
  },
  'build:client-types': { about: "write the client's types from the endpoints", usage: '' },
  'build:docs': {
    about: "write the client's reference as HTML",
    usage: '[FOLDER]',
    notes: ['default: ./dist/client-docs'],
  },
  images: {
    about: 'build every image, start all of them, and trade through the front door',
    usage: '[--engine docker|buildah] [--storage FOLDER] [--tls] [--write]',
    notes: [
      'Without a Docker engine: with packages of Debian, as root.',
      '--storage FOLDER keeps the images there, for the next run; --write puts the figures into docs.',
      '--tls adds docker-compose.tls.yml, and kills a node of its cluster of EventStoreDB.',
    ],
  },
  bench: {
    about: 'measure',
    usage: '[NAME [--write] | compare REVISION NAME… | --list]',
    notes: [
      'npm run bench                       every benchmark, into docs: some hours',
      'npm run bench -- reads --write      this one; --write puts the figures into docs',
      'npm run bench -- compare REV reads  those of a revision beside those of this checkout',
    ],
  },
  sim: { about: 'simulate faults of the command side, by seed', own: true },
  chaos: { about: 'kill the real service again and again, and judge it', own: true },
  fuzz: { about: 'send requests of every kind to the real service', own: true },
};

/** Whether the arguments ask for help. */
export const asksForHelp = (args) => args.includes('--help') || args.includes('-h');

/** The help of a command; null where its program prints its own. */
export function helpOf(name) {
  const { about, notes = [], own = false, settings = [], usage = '[options]' } = COMMANDS[name];
  if (own) return null;
  const call = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
  const lines = [`${call}${usage === '' ? '' : ` -- ${usage}`}`, '', `  ${capital(about)}.`];
  if (notes.length > 0) lines.push('', ...notes.map((note) => `  ${note}`));
  if (settings.length > 0) {
    const wide = (column) => Math.max(...settings.map((row) => row[column].length));
    lines.push(
      '',
      usage === ''
        ? 'Settings, from the environment:'
        : `Settings, from the environment or as options (PORT=4001 or --port 4001), and their defaults:`,
      '',
      ...settings.map(([setting, by, what]) => `  ${setting.padEnd(wide(0))}  ${by.padEnd(wide(1))}  ${what}`),
    );
    if (usage !== '') lines.push('', '--print-config shows the settings without secrets, and ends.');
  }
  return `${lines.join('\n')}\n`;
}

/** All commands, one line each. */
export function helpOfAll() {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  return [
    'usage: npm run COMMAND [-- options]',
    '',
    ...Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`),
    '',
    'npm run COMMAND -- --help explains one.',
    '',
  ].join('\n');
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
