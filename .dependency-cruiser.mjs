/**
 * Imports run one way: kit ← core ← clients ← operations ← services, and in core exchange ← journal ← read-models and
 * contracts ← http; no circles. Tests use the packages of testing, and nothing that is shipped does.
 * `npm run check` runs this, and shows the comment of a rule that is broken: it says where the thing belongs.
 * scripts/test/import-rules.spec.ts proves each rule with a violation.
 */
const inside = (name) => `^packages/[^/]+/${name}/src/`;

/** What the testkit has of a subject, beside its index. */
const TESTKIT_ENTRIES = '^packages/testing/testkit/src/(browser|(dumps|exchange|failover|http|servers)/index)\\.ts$';

/** What packages have of a subject, beside their index. */
const SUBJECT_ENTRIES = [
  '^packages/core/exchange/src/(commands|events|fields|snapshot/index|vocabulary)\\.ts$',
  '^packages/core/contracts/src/(units|[^/]+/index)\\.ts$',
  '^packages/kit/runtime/src/(coordination|queues|resources)/index\\.ts$',
];

/** The rule of a group of packages, which knows itself and the groups that are named. `comment`: where a thing belongs. */
const group = (name, known, comment) => ({
  name: known.length === 0 ? `${name}-knows-no-other-group` : `${name}-knows-${known.join('-and-')}`,
  severity: 'error',
  comment,
  from: { path: `^packages/${name}/` },
  // What is shipped and uses testing breaks `no-test-code-in-what-runs`.
  to: { path: '^(packages|services|scripts)/', pathNot: `^packages/(${[name, ...known, 'testing'].join('|')})/` },
});

/**
 * Rules for the first-level folders of `root`, the lowest first: each imports only itself and those before it. A folder
 * that is not listed imports nothing, so that a new one takes its place in the order. Files beside the folders are free,
 * but for those of a list, which stands in the order as a folder does. `comment`: where a thing belongs.
 */
const layers = (name, root, order, comment) => {
  const rule = (from, to) => ({ name, severity: 'error', comment, from: { path: from }, to: { path: to } });
  const pathOf = (entry) => (Array.isArray(entry) ? `(${entry.join('|').replaceAll('.', '\\.')})$` : `${entry}/`);
  return [
    ...order.map((entry, index) => {
      const below = order
        .slice(0, index + 1)
        .map(pathOf)
        .join('|');
      return rule(`^${root}/${pathOf(entry)}`, `^${root}/(?!${below})`);
    }),
    rule(`^${root}/(?!${order.map(pathOf).join('|')})[^/]+/`, '.'),
  ];
};

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'What both need belongs in a module, or a package, below them.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that cannot be resolved is checked by no other rule.',
      from: {},
      to: { couldNotResolve: true },
    },
    group(
      'kit',
      [],
      'kit: what any program needs, such as processes, time, traces and Postgres. What needs the exchange or its API ' +
        'belongs in core; or the caller passes in what is needed of them.',
    ),
    group(
      'core',
      ['kit'],
      'core: the exchange as services run it. What calls the API belongs in clients; what an operator runs, in ' +
        'operations; what puts parts together, in a service.',
    ),
    group(
      'clients',
      ['core', 'kit'],
      'clients: what others use to call the API. What an operator runs belongs in operations; what listens, in a service.',
    ),
    group(
      'operations',
      ['core', 'kit', 'clients'],
      'operations: what operators run. What needs the code of a service belongs in that service.',
    ),
    {
      name: 'exchange-imports-nothing',
      severity: 'error',
      comment:
        'The exchange is pure: neither Node nor another package. What reads a clock, a store or a network belongs in ' +
        'command-side, journal or read-models.',
      from: { path: inside('exchange') },
      to: { pathNot: inside('exchange') },
    },
    ...layers(
      'exchange-layers',
      'packages/core/exchange/src',
      [
        [
          'fields.ts',
          'vocabulary.ts',
          'money.ts',
          'permissions.ts',
          'rules.ts',
          'commands.ts',
          'optional-fields.ts',
          'events.ts',
          'fill-moves.ts',
          'decision.ts',
        ],
        'state',
        'orders',
        'accounts',
        'markets',
        'signals',
        'epochs',
        'snapshot',
      ],
      'The files: words, shapes, refusals, without the state; state: what decisions read, and no decision; orders: also ' +
        'how accounts and markets end them; then a folder a subject. What joins subjects is in decider.ts.',
    ),
    {
      name: 'auditor-shares-no-code',
      severity: 'error',
      comment: 'What judges the exchange may not be built from it: the auditor declares or computes the same again.',
      from: { path: inside('auditor') },
      to: { path: '^packages/core/exchange/' },
    },
    ...layers(
      'auditor-folders-in-order',
      'packages/core/auditor/src',
      ['timers', 'events', 'journal', 'twin', 'ledger', 'rules', 'history', 'verify'],
      'timers and events (what the journal holds) ← journal (reading it) ← twin (deciding again) ← ledger ← rules ← ' +
        'history ← verify. What two folders need belongs in the first of them, or before it.',
    ),
    ...layers(
      'read-models-folders-in-order',
      'packages/core/read-models/src',
      ['engine', 'models', 'projection', 'reads', 'serving', 'rebuild'],
      'engine (knows no table) ← models (a folder a subject) ← projection (into a schema of Postgres) ← reads (what joins ' +
        'several models) ← serving (each at one sequence) ← rebuild. What joins models belongs in reads.',
    ),
    {
      name: 'ledger-and-twin-are-made-apart',
      severity: 'error',
      comment: 'Two sums made apart find what one of them hides. What both need of a command belongs in events.',
      from: { path: '^packages/core/auditor/src/(ledger|rules)/' },
      to: { path: '^packages/core/auditor/src/twin/' },
    },
    {
      name: 'contracts-import-the-vocabulary-only',
      severity: 'error',
      comment:
        'The words of orders and markets are declared once, in vocabulary.ts of the exchange; how it decides is none of ' +
        'the API. What both sides use belongs there, what handlers use in http.',
      from: { path: inside('contracts') },
      to: {
        path: '^(packages|services)/',
        pathNot: `${inside('contracts')}|^packages/core/exchange/src/vocabulary\\.ts$`,
      },
    },
    ...layers(
      'contracts-layers',
      'packages/core/contracts/src',
      [
        [
          'answer.ts',
          'cost.ts',
          'csv.ts',
          'endpoint.ts',
          'errors.ts',
          'look-alike.ts',
          'name-text.ts',
          'numbers.ts',
          'port-errors.ts',
          'shown-name.ts',
          'text.ts',
          'units.ts',
          'validation-message.ts',
          'version.ts',
        ],
        'service',
        'markets',
        'signals',
        'orders',
        'portfolio',
        'accounts',
        'journal',
        'backtests',
        'operator',
        ['endpoints.ts'],
        'generated',
        'openapi',
      ],
      'The files: what any subject is declared with; then a folder a subject, its answers with its endpoints; endpoints.ts: ' +
        'all of them. What two subjects need belongs in the first of them.',
    ),
    {
      name: 'vocabulary-imports-nothing',
      severity: 'error',
      comment:
        'The contracts load it, and by them browsers. What needs other modules belongs elsewhere in the exchange.',
      from: { path: '^packages/core/exchange/src/vocabulary\\.ts$' },
      to: { path: '.' },
    },
    {
      name: 'units-import-the-vocabulary-only',
      severity: 'error',
      comment: 'Browsers load them alone. What needs other modules belongs elsewhere in contracts.',
      from: { path: '^packages/core/contracts/src/units\\.ts$' },
      to: { path: '.', pathNot: '^packages/core/exchange/src/vocabulary\\.ts$' },
    },
    {
      name: 'client-imports-nothing-of-ours',
      severity: 'error',
      comment: 'It is published: what it needs of the endpoints is generated.',
      from: { path: inside('client') },
      to: { path: '^(packages|services)/', pathNot: inside('client') },
    },
    {
      name: 'journal-knows-the-exchange-only',
      severity: 'error',
      comment:
        'It stores and reads events. What turns them into tables belongs in read-models, into answers in a service.',
      from: { path: inside('journal') },
      to: { path: '^packages/core/', pathNot: '^packages/core/(journal|exchange)/' },
    },
    {
      name: 'opentelemetry-is-loaded-where-asked-for',
      severity: 'error',
      comment: 'It takes long to load, so only the module that is imported when traces are on may import it.',
      from: { pathNot: '^packages/kit/tracing/(src/(open-telemetry|sampler)\\.ts$|test/)' },
      to: { path: '@opentelemetry' },
    },
    {
      name: 'http-knows-the-contracts-only',
      severity: 'error',
      comment: 'The pipeline that every service shares. What a service does, such as reading a journal, belongs there.',
      from: { path: inside('http') },
      to: { path: '^packages/core/', pathNot: '^packages/core/(http|contracts)/' },
    },
    {
      name: 'command-side-has-no-http',
      severity: 'error',
      comment: 'It decides. Routes and servers belong in services/command-api.',
      from: { path: inside('command-side') },
      to: { path: '(^|/)(express|https?)(/|$)' },
    },
    {
      name: 'services-do-not-know-each-other',
      severity: 'error',
      comment: 'What two services need belongs in a package. Only the standalone and backtests compose services.',
      from: { path: '^services/([^/]+)/', pathNot: '^services/(standalone|backtests)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-are-imported-by-their-index',
      severity: 'error',
      comment:
        'What no entry exports is free to change. Tests may share what the package.json names of tests. The ' +
        'browser of tests is apart, since loading it takes long.',
      from: { path: '^(packages/[^/]+|services)/([^/]+)/' },
      to: {
        path: '^(packages/[^/]+|services)/[^/]+/',
        pathNot: [
          '^$1/$2/',
          '^(packages/[^/]+|services)/[^/]+/(src/index\\.ts$|test/)',
          ...SUBJECT_ENTRIES,
          TESTKIT_ENTRIES,
          '^packages/clients/client-files/src/verify-journal\\.mjs$',
        ],
      },
    },
    {
      name: 'scripts-import-packages-by-their-index',
      severity: 'error',
      comment: 'What no entry exports is free to change: export it, or put the command into the package.',
      from: { path: '^scripts/' },
      to: {
        path: '^(packages|services)/',
        pathNot: [
          '^(packages/[^/]+|services)/[^/]+/(src/index\\.ts$|test/)',
          ...SUBJECT_ENTRIES,
          TESTKIT_ENTRIES,
          // The entry of npm commands reads their declarations before anything is installed.
          '^packages/kit/commands/src/(generated/)?[^/]+\\.mjs$',
        ],
      },
    },
    {
      name: 'nobody-imports-a-main',
      severity: 'error',
      comment:
        'It is a process: importing it starts the service. What others need of it belongs in a module beside it.',
      from: {},
      to: { path: '^(packages/[^/]+|services)/[^/]+/src/main\\.ts$' },
    },
    ...layers(
      'backtests-layers',
      'services/backtests/src',
      [['protocol.ts', 'playing.ts'], 'play', 'report', 'process', 'host'],
      'play: a tape into an exchange; report: figures of the files that are left; process: one backtest, on its clock; ' +
        'host: the processes, and the API that starts them.',
    ),
    {
      name: 'backtests-compose-what-they-play-on',
      severity: 'error',
      comment: 'A backtest is the exchange and its reads: the house, the portal and the MCP server are no part of it.',
      from: { path: '^services/backtests/' },
      to: {
        path: '^services/',
        pathNot: '^services/(backtests|command-api|projector|query-api|stream-gateway)/',
      },
    },
    ...layers(
      'portal-server-layers',
      'services/portal/src',
      ['base', 'keys', 'identity', 'accounts', 'http', 'pages', 'programs'],
      'base: settings, errors, tables and encryption; keys: the stored keys of accounts; identity: who signs in, and ' +
        'how; accounts: jobs over all of these; http: routes; pages: what the server makes of web.',
    ),
    ...layers(
      'portal-web-layers',
      'services/portal/web',
      ['base', 'ui', 'live', 'data', 'pages', 'app'],
      'base: what any browser code may need, without controls or calls; ui: controls, forms and charts, of no subject; ' +
        'live: streams; data: calls, and what several pages share of a subject; pages: a folder a page; app: all of it ' +
        'together.',
    ),
    ...layers(
      'portal-data-layers',
      'services/portal/web/data',
      ['api', 'session', 'receipts', 'orders', 'fleet', 'people'],
      'api: any call; session: who is signed in, and the proof that it is them; then a folder a subject.',
    ),
    {
      name: 'browsers-load-no-server-code',
      severity: 'error',
      comment:
        'Beside web, a page loads the four modules that say which pages there are, what they read first and what they remember.',
      from: { path: '^services/portal/web/' },
      to: {
        path: '^services/portal/src/',
        pathNot: '^services/portal/src/pages/(market-list-query|notes|paths|read-answer)\\.ts$',
      },
    },
    {
      name: 'no-test-code-in-what-runs',
      severity: 'error',
      comment: 'testing: what is never shipped. What a service needs too belongs in kit, core or operations.',
      from: { path: '^(packages/(?!testing/)[^/]+/[^/]+/src|services/[^/]+/(src|web))/' },
      // From the beginning, since the path of a clone may have such a folder too.
      to: { path: '^(packages/testing/|(packages/[^/]+/[^/]+|services/[^/]+|scripts)/test/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // No rule asks for dependents or folders.
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
