import { ROLES_SETTINGS, SERVICES_SETTINGS, START_SETTINGS } from './generated/settings.mjs';

const OPERATIONS = 'packages/operations/operator-cli/src/programs';
const STANDALONE = 'services/standalone/src';

const DATA_DIR = ['DATA_DIR', './data', 'the folder of the service'];
const DATABASE_URL = ['DATABASE_URL', "DATA_DIR's", 'the Postgres, where it is not the embedded one', true];
const JOURNAL = [
  DATA_DIR,
  DATABASE_URL,
  ['JOURNAL_URL', 'in Postgres', 'the journal, where it is in EventStoreDB: esdb://host:2113', true],
  ['SHARD', 'main', 'which journal'],
];
const BACKUPS = [
  ['BACKUP_DIR', 'DATA_DIR-backups', 'the folder of the backups'],
  ['BACKUP_KEY_FILE', 'none', 'the file of the keys (age) that backups are encrypted to'],
];
const SERVICE = [DATA_DIR, ['OPERATOR_TOKEN', "DATA_DIR/service.json's", "an operator's token", true]];
const SERVICE_OPTIONS = {
  url: { value: 'URL', about: "the address of the service; default: DATA_DIR/service.json's" },
  token: { value: 'TOKEN', about: 'as OPERATOR_TOKEN; --token-file keeps it out of the list of processes' },
  'token-file': { value: 'FILE', about: 'as OPERATOR_TOKEN_FILE' },
};
const PLACE = {
  value: 'PLACE',
  about:
    'postgresql://…, esdb://…, or a file downloaded from GET /api/journal; default: DATABASE_URL, or that of DATA_DIR',
};
const VIEW = {
  at: { value: 'POINT', about: 'as it was after this sequence, or at this time (ISO 8601); default: now' },
  format: { value: 'NAME', about: 'how to print it', choices: ['table', 'json', 'csv'], byDefault: 'table' },
  journal: PLACE,
};
const UNCHANGED = 'Nothing was changed.';

const importCommand = (name, about, example, choices) => ({
  about,
  program: `${OPERATIONS}/${name}.ts`,
  example,
  args: [{ name: 'file', about: 'the file to read' }],
  options: { format: { value: 'NAME', about: 'the format of the file', choices, needed: true }, ...SERVICE_OPTIONS },
  settings: SERVICE,
  json: true,
  faults: 'the service refused a part of it',
  interrupted: 'What the service has taken stays; a repeat sends the rest.',
});

const viewCommand = (about, example, arg) => ({
  about,
  example,
  args: [{ name: arg, about: 'its id' }],
  options: VIEW,
  json: true,
});

/** The commands for operators, auditors and traders. */
export const OPERATOR_COMMANDS = {
  start: {
    about: 'run the whole service',
    program: `${STANDALONE}/main.ts`,
    example: '--port 4001',
    options: { 'print-config': { about: 'show the settings without secrets, and end' } },
    settings: START_SETTINGS,
    faults: 'it could not start, or go on',
    interrupted: 'Only where it is interrupted again while it stops; a stop in order ends with 0.',
  },
  'start:services': {
    about: 'run every service as processes of their own',
    program: 'scripts/start-services.ts',
    install: 'full',
    example: '--database-url postgresql://localhost/paper --redis-url redis://localhost:6379',
    options: { 'print-config': { about: 'show the settings without secrets, and end' } },
    settings: SERVICES_SETTINGS,
    faults: 'it could not start, or go on',
    interrupted: 'Only where it is interrupted again while it stops; a stop in order ends with 0.',
  },
  services: {
    about: 'show the processes of start:services, or restart one',
    program: `${OPERATIONS}/services.ts`,
    example: 'status',
    settings: [DATA_DIR],
    commands: {
      status: {
        about: 'print a line for each process',
        json: true,
        faults: 'a process is down, or does not answer',
      },
      restart: {
        about: 'stop one process in order and start it again; ends when it is ready or stands by',
        example: 'query-api-1',
        args: [{ name: 'name', about: 'as status prints it, such as query-api-1 or front-door' }],
        json: true,
        faults: 'the process did not become ready',
        interrupted: 'The restart goes on.',
      },
    },
  },
  roles: {
    about: "make the database's roles, as its owner",
    program: 'services/command-api/src/database-roles/prepare.ts',
    example: '--database-url postgresql://paper@localhost/paper',
    json: true,
    settings: ROLES_SETTINGS,
    interrupted: 'A repeat finishes it.',
  },
  portal: {
    about: 'invite people to sign up, and look at the invites',
    program: 'services/portal/src/programs/portal.ts',
    example: 'invite --uses 5',
    settings: [DATA_DIR, DATABASE_URL, ['PUBLIC_URL', "the running service's", 'the address that people use']],
    commands: {
      invite: {
        about: 'make an invite, and print its link, which is shown this once',
        example: '--uses 5 --days 30',
        options: {
          uses: { value: 'NUMBER', about: 'so many people may sign up with it', byDefault: 1, from: 1, to: 10_000 },
          days: { value: 'NUMBER', about: 'so long it lasts', byDefault: 7, from: 1, to: 365 },
          by: { value: 'NAME', about: 'who makes it, for the list of invites; default: the user of this machine' },
          url: { value: 'URL', about: 'as PUBLIC_URL' },
        },
        json: true,
      },
      invites: { about: 'list all invites, the newest first', json: true },
      revoke: {
        about: 'end an invite; people who have used it keep their accounts',
        example: '6f1c8a52',
        args: [{ name: 'id', about: 'as `invites` prints it' }],
        json: true,
        faults: 'there is no such invite',
      },
    },
  },
  mcp: {
    about: 'serve agents over standard input and output',
    program: 'services/mcp/src/programs/mcp.ts',
    example: '--url http://127.0.0.1:4000 --api-key-file ~/.paper-key',
    options: {
      url: { value: 'URL', about: 'as API_URL' },
      'print-config': { about: 'show the settings without secrets, and end' },
    },
    settings: [
      ['API_URL', 'by DATA_DIR', 'the API; default: that of the service that runs on DATA_DIR'],
      ['API_KEY', 'by DATA_DIR', "the key to act with; default: the demo account's", true],
      ['DATA_DIR', './data', 'where the service runs, and the secret is stored'],
      ['MCP_SECRET', 'in DATA_DIR', 'signs prepared orders', true],
      ['LOG_LEVEL', 'warn', 'of the lines on standard error'],
    ],
    interrupted: 'Ctrl-C stops it in order, with 0.',
  },
  'open-account': {
    about: 'open an account of a running service and print its key',
    program: `${OPERATIONS}/open-account.ts`,
    example: 'my-first-bot',
    args: [{ name: 'name', about: "the account's display name, 2 to 24 characters" }],
    options: {
      'starting-balance': { value: 'DOLLARS', about: "what it starts with, 1 to 10000000; default: the service's" },
      permissions: { value: 'LIST', about: 'what its key may do; default: view,trade,master,reconcile' },
      'key-only': { about: 'print nothing but the key, for scripts', without: ['json'] },
      ...SERVICE_OPTIONS,
    },
    settings: SERVICE,
    json: true,
    interrupted: 'The account may have been opened: GET /api/operator/accounts lists it.',
  },
  'import-markets': importCommand(
    'import-markets',
    'list the markets of a question set',
    '--format forecastbench question-set.json',
    ['forecastbench'],
  ),
  'import-signals': importCommand(
    'import-signals',
    'record the cited signals of a file',
    '--format jsonl signals.jsonl',
    ['forecastbench', 'jsonl'],
  ),
  'resolve-markets': importCommand(
    'resolve-markets',
    'resolve imported markets by a resolution set',
    '--format forecastbench resolution-set.json',
    ['forecastbench'],
  ),
  audit: {
    about: 'prove the journal and the read models, or see historical state',
    program: `${OPERATIONS}/audit.ts`,
    example: 'verify',
    settings: [
      ...JOURNAL,
      ['AUDIT_SIGNING_KEY', 'in DATA_DIR', 'the Ed25519 key that signs heads: its PEM, or the name of its file', true],
    ],
    faults: 'the journal, or what it is compared with, has a fault',
    interrupted: UNCHANGED,
    commands: {
      verify: {
        about:
          'prove the journal event by event, and that the read models, the display names and the accounts of people are what it gives, row by row',
        example: '--no-read-models',
        options: {
          from: {
            value: 'SEQ',
            about: 'the first event to judge; those before are folded unjudged',
            byDefault: 1,
            from: 1,
          },
          head: { value: 'FILE', about: 'a head that was issued earlier and must still be contained', many: true },
          'read-models': {
            value: 'URL',
            about:
              'the Postgres with the read models, names and people; default: where the journal is, or DATABASE_URL',
            without: ['no-read-models'],
          },
          'no-read-models': { about: 'leave the read models out, as after a restore' },
          'no-names': { about: 'leave the display names and the accounts of people out' },
          journal: PLACE,
        },
        json: true,
      },
      head: {
        about: 'print where the journal ends, as JSON: whoever keeps it can prove a later rewrite',
        example: '--sign > head.json',
        options: { sign: { about: 'sign it with the key of AUDIT_SIGNING_KEY, or of DATA_DIR' }, journal: PLACE },
        json: true,
      },
      timeline: viewCommand(
        'print every event of a market, and what its book said after each',
        'polymarket:0x1f --format csv',
        'market',
      ),
      account: viewCommand(
        "print an account's money, positions and open orders",
        'f3b0c442-98fc-4c14-9afb-4c8996fb9242 --at 2026-11-21T12:00:00Z',
        'account',
      ),
      book: viewCommand("print a market's order book", 'polymarket:0x1f --at 12345', 'market'),
    },
  },
  export: {
    about: 'write markets, orders, trades and what became of them, or the journal, as files',
    program: `${OPERATIONS}/export.ts`,
    example: '--out ./export --format csv --from 2026-01-01T00:00:00Z',
    options: {
      out: { value: 'FOLDER', about: 'the folder to make; it is new, or empty', needed: true },
      tables: {
        value: 'NAMES',
        about:
          'only these, with commas between; default: markets, accounts, signals, trades, orders, order_events, settlements, candles, equity',
      },
      market: { value: 'ID', about: 'only rows of this market (accounts and equity are of all markets)' },
      account: { value: 'ID', about: 'only rows of this account (markets, signals and candles are of all accounts)' },
      from: { value: 'TIME', about: 'only rows from this time on; of an order, the time of its placement' },
      to: { value: 'TIME', about: 'the exchange as it was just before this time' },
      format: {
        value: 'NAME',
        about: 'the format of the files; journal: the public journal itself, a file for each year',
        choices: ['parquet', 'csv', 'ndjson', 'journal'],
        byDefault: 'parquet',
      },
      journal: PLACE,
    },
    settings: JOURNAL,
    json: true,
    interrupted: 'The incomplete export is removed.',
  },
  tape: {
    about: 'print what recorded markets hold, and what of them is skipped',
    program: `${OPERATIONS}/tape.ts`,
    example: 'gold/KXGOLD15M-26AUG050800-00',
    args: [
      { name: 'file', about: 'a file, a folder whose files are one tape, or made-news, which we made', many: true },
    ],
    json: true,
    faults: 'a tape is refused',
    interrupted: UNCHANGED,
  },
  backtest: {
    about: 'play recorded markets with a bot, and print what came of it',
    program: `${OPERATIONS}/backtest.ts`,
    example: 'made-news -- python3 my-bot.py',
    args: [{ name: 'tape', about: "a tape's id, or a pattern of ids such as 'gold-*'", many: true }],
    runs: "the bot's command, which is run with PAPER_BASE_URL and PAPER_API_KEY set",
    options: {
      from: { value: 'TIME', about: 'where the clock starts; default: at the first event' },
      to: { value: 'TIME', about: 'the last moment that is played; default: that of the last event' },
      'starting-balance': { value: 'DOLLARS', about: "what the bot starts with; default: the service's" },
      'latency-ms': { value: 'MS', about: 'how long after it was sent a command is decided', from: 0, to: 60_000 },
      'feed-latency-ms': { value: 'MS', about: 'how much later streams show the market', from: 0, to: 60_000 },
      fee: { value: 'RATE', about: 'the rate r of r × p × (1 − p) a share as taker, which the report shows' },
      seed: { value: 'NUMBER', about: 'what ids follow from', from: 0 },
      'patience-seconds': { value: 'SECONDS', about: 'how long a silent bot is waited for', from: 1, to: 3_600 },
      out: { value: 'FILE', about: 'write the results as one HTML page with charts' },
    },
    settings: [
      ['PAPER_BASE_URL', 'by DATA_DIR', 'the service; default: the one that runs on DATA_DIR'],
      ['PAPER_API_KEY', 'by DATA_DIR', "a primary account's key with master; default: the demo account's"],
      ['DATA_DIR', './data', 'where the service runs'],
    ],
    json: true,
    faults: 'a bot failed, or a tape could not be played',
    interrupted: 'The backtest under way is ended and deleted.',
  },
  snapshot: {
    about: 'take a snapshot of the exchange, for a quick start',
    program: `${OPERATIONS}/snapshot.ts`,
    settings: JOURNAL,
    json: true,
    interrupted: 'No snapshot is stored.',
  },
  backup: {
    about: 'copy journal, names and identity into a folder while the service runs',
    program: `${OPERATIONS}/backup.ts`,
    example: '--keep-days 90',
    options: {
      'keep-days': {
        value: 'DAYS',
        about: 'delete backups that are older, but never the newest',
        byDefault: 30,
        from: 1,
        to: 36_500,
      },
      list: { about: 'list the backups, the newest first, and make none' },
      'new-key': { value: 'FILE', about: 'make a key for BACKUP_KEY_FILE, and no backup' },
    },
    settings: [...JOURNAL, ...BACKUPS],
    json: true,
    interrupted: 'No backup was made.',
  },
  restore: {
    about: 'restore a backup into an empty place',
    notes: [
      'That is DATABASE_URL, else a new database in DATA_DIR; with JOURNAL_URL the journal goes into an empty EventStoreDB.',
    ],
    program: `${STANDALONE}/programs/restore.ts`,
    example: './data-backups/2026-11-24T03-00-00Z --revoke-keys',
    args: [{ name: 'folder', about: 'the backup; default: the newest of BACKUP_DIR', optional: true }],
    options: {
      'revoke-keys': { about: 'revoke every API key that was issued before the backup' },
      erasures: { value: 'FOLDER', about: 'a further folder with an erasures.ndjson', many: true },
    },
    settings: [...JOURNAL, ...BACKUPS],
    json: true,
    interrupted: 'Nothing was restored; where the journal is in EventStoreDB, repeat it before a service starts.',
  },
  rotate: {
    about:
      'replace passwords, tokens, secrets or the certificate of services without a stop, and the secrets of npm start',
    program: `${STANDALONE}/programs/rotate.ts`,
    example: 'tokens operator',
    settings: [
      DATA_DIR,
      ['DATABASE_URL', "DATA_DIR's", 'the database, as its owner', true],
      ['JOURNAL_URL', 'in Postgres', 'the journal, where it is in EventStoreDB', true],
      ['SHARD', 'main', 'which journal'],
      ...ROLES_SETTINGS.filter(([name]) => name.endsWith('_DATABASE_URL')).map(([name]) => [
        `${name}_FILE`,
        'none',
        `the file of the connection string of ${name.split('_')[0].toLowerCase()}`,
      ]),
      ['OPERATOR_TOKENS_FILE', 'DATA_DIR/operator-token', 'the file of the tokens'],
      ['PORTAL_SECRET_FILE', 'DATA_DIR/portal-secret', 'the file of the secret'],
      ['MCP_SECRET_FILE', 'DATA_DIR/mcp-secret', 'the file of the secret'],
      ['FRONT_DOOR_CERTIFICATE', 'none', 'PEM file of certificate, chain and key'],
      ['PUBLIC_URL', 'none', 'the host that a new certificate has to be for'],
    ],
    interrupted: 'A repeat finishes it.',
    commands: {
      passwords: {
        about: 'of the database roles, in COMMAND_DATABASE_URL_FILE and so on; DATABASE_URL is the owner',
        json: true,
      },
      tokens: {
        about: 'of an operator (`operator` is that of DATA_DIR): the new one is printed, and the former still works',
        example: 'operator',
        args: [{ name: 'name', about: 'of the operator' }],
        options: { 'drop-old': { about: 'drop the former tokens, once every client has the new one' } },
        json: true,
      },
      'portal-secret': {
        about: 'the secret that encrypts the keys stored by the portal: each is encrypted anew',
        json: true,
      },
      'mcp-secret': { about: 'the secret that signs orders which agents prepare', json: true },
      certificates: {
        about: 'of the front door, in FRONT_DOOR_CERTIFICATE: new connections get the new one, and nothing restarts',
        example: 'new.pem',
        args: [
          {
            name: 'file',
            about: 'with the new certificate, its chain and its key; default: it is in FRONT_DOOR_CERTIFICATE already',
            optional: true,
          },
        ],
        json: true,
      },
    },
  },
  rebuild: {
    about: 'refill the read models from the journal; a running service goes on serving meanwhile',
    program: `${OPERATIONS}/rebuild.ts`,
    example: '--throttle',
    options: {
      throttle: {
        value: 'EVENTS/S',
        about: 'leave room for readers: so many events a second at most, in small transactions',
        alone: 5_000,
        from: 20,
      },
      only: { value: 'PART', about: 'correct the rows behind one part alone', choices: ['leaderboard'] },
      status: {
        about: 'show what there is, and how far it is',
        without: ['throttle', 'only', 'back', 'abort', 'retire'],
      },
      back: {
        about: 'let the schema that served before serve again, at once',
        without: ['throttle', 'only', 'abort', 'retire'],
      },
      abort: {
        about: 'throw away what is half-filled, also while it is being filled',
        without: ['throttle', 'only', 'retire'],
      },
      retire: {
        about: 'drop the schema that served before, and those of older versions',
        without: ['throttle', 'only'],
      },
    },
    settings: JOURNAL,
    json: true,
    interrupted: 'What was filled stays: `npm run rebuild` goes on there, `--abort` throws it away.',
  },
};
