/** An alert, with its service's label if it has one. */
export interface ExpectedAlert {
  readonly alert: string;
  readonly job?: string;
}

/** A fault of `npm run chaos -- alerts`, and the alerts that belong to it. */
export interface AlertFault {
  readonly name: string;
  /** The description of the fault in docs/operate/operations.md. */
  readonly what: string;
  /** The alerts of which Alertmanager notifies, and of no others. */
  readonly causes: readonly ExpectedAlert[];
  /** Alerts that may fire too, but are inhibited while a causing alert fires. */
  readonly heldBack: readonly string[];
}

const NO_WRITER = ['PaperNoLeader', 'PaperAppendsUnknown', 'PaperAlarm'];
const USERS_FEEL = ['PaperErrors', 'PaperOrdersSlow', 'PaperProjectionLags', 'PaperCommandsWait', 'PaperStandbyLags'];

const down = (job: string, heldBack: readonly string[]): AlertFault => ({
  name: `${job}-down`,
  what: `every \`${job}\` is frozen`,
  causes: [{ alert: 'PaperServiceDown', job }],
  heldBack: ['PaperProcessDown', ...heldBack],
});

/** The only table of faults, causes and symptoms, which docs/operate/operations.md shows. */
export const ALERT_FAULTS: readonly AlertFault[] = [
  {
    name: 'postgres-away',
    what: 'Postgres cannot be reached by any service',
    causes: [{ alert: 'PaperPostgresAway' }],
    heldBack: [...NO_WRITER, 'PaperNoProjector', 'PaperSignUpsWait', ...USERS_FEEL],
  },
  {
    name: 'disk-full',
    what: 'the disk of Postgres is full',
    causes: [{ alert: 'PaperDiskFull' }],
    heldBack: ['PaperPostgresAway', ...NO_WRITER, 'PaperNoProjector', 'PaperSignUpsWait', ...USERS_FEEL],
  },
  {
    name: 'clock-wrong',
    what: 'the clock of every `command-api` is set an hour ahead',
    causes: [{ alert: 'PaperClockWrong' }],
    heldBack: [...NO_WRITER, ...USERS_FEEL],
  },
  down('command-api', [...NO_WRITER, ...USERS_FEEL]),
  down('projector', ['PaperNoProjector', ...USERS_FEEL]),
  down('query-api', USERS_FEEL),
  down('stream-gateway', USERS_FEEL),
  down('portal', USERS_FEEL),
  down('mcp', USERS_FEEL),
  down('backtests', USERS_FEEL),
  down('front-door', USERS_FEEL),
  {
    name: 'redis-away',
    what: 'Redis cannot be reached by any service',
    causes: [{ alert: 'PaperRedisAway' }],
    heldBack: [],
  },
  {
    name: 'process-down',
    what: 'one of two `query-api` is frozen; the other serves',
    causes: [{ alert: 'PaperProcessDown', job: 'query-api' }],
    heldBack: [],
  },
  {
    name: 'leader-killed',
    what: 'kill −9 of the `command-api` that leads; a standby takes over',
    causes: [],
    heldBack: [],
  },
];

/** The rounds. The faults of a round are played at the same time: none of them affects the alerts of the others. */
export const FAULT_ROUNDS: readonly (readonly string[])[] = [
  ['postgres-away'],
  ['command-api-down'],
  ['disk-full'],
  ['clock-wrong'],
  ['projector-down', 'mcp-down', 'backtests-down'],
  ['query-api-down', 'portal-down', 'stream-gateway-down'],
  ['front-door-down'],
  ['process-down', 'redis-away'],
  ['leader-killed'],
];
