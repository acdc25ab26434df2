import path from 'node:path';
import { declaredMetrics } from './declared-metrics.ts';
import { table } from './generated-section.ts';
import type { GeneratedSection } from './generated-section.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The normal values of each metric. A metric without an entry, or an entry without its metric, fails a test. */
export const NORMAL_VALUES: Readonly<Record<string, string>> = {
  backup_newest_timestamp_seconds: 'at most a day ago; only where BACKUP_DIR is set, and with `npm start`',
  command_alarms_total: 'does not rise; each rise has an error line in the log',
  command_clock_trusted: '1; at 0 set the clock right (NTP)',
  command_journal_answers: '1; if it is 0 in every process, bring the server of the journal back',
  command_journal_threatened: '0; at 1 run `npm run roles`, and do not scavenge before',
  command_journal_seq: 'the same in the leader and the standbys, within a second',
  command_leads: 'the sum over all command APIs is 1',
  command_queue_depth: 'below 100; at 10,000 further commands are 503',
  commands_total: 'rises with the load; `outcome` is the kind of the decision, or the code of a refusal',
  http_commands_waiting: 'mostly 0; a batch counts as 50; above 0, clients send more than is answered within 100 ms',
  http_connections: 'below CONNECTIONS_MAX',
  http_connections_refused_total: 'does not rise',
  http_request_duration_seconds: 'p99 below 50 ms without a rebuild',
  http_requests_total: 'status 5xx below 0.1 %; 503 only within seconds of a failover',
  journal_append_bytes: 'below 524,288, the limit of a batch',
  journal_append_events: '1 to 10 at rest, hundreds under load',
  journal_append_resent_total: 'does not rise, except while the server of the journal is unreachable',
  journal_append_seconds: 'p99 below 20 ms on an SSD: an append waits for the disk',
  lease_failures_total: 'does not rise, except while Postgres is unreachable',
  lease_held: 'the sum for each lease is 1',
  mcp_request_duration_seconds: 'p99 below 200 ms; a tool calls the API',
  mcp_requests_total: 'status 5xx below 0.1 %',
  mcp_tool_calls_total: 'mostly with the result `ok`; other results are the error codes of answers',
  paper_account_stream_dropped_total: 'rises rarely: by clients that did not read',
  paper_account_stream_events_total: 'rises with the fills of the accounts that watch',
  paper_account_stream_replays: '0 most of the time; many after a gateway was restarted',
  paper_account_streams: 'the connected bots and browser tabs',
  paper_account_streams_live: 'nearly all of them; the others catch up from the read models',
  paper_book_stream_dropped_total: 'rises rarely: by clients that did not read',
  paper_book_streams: 'the open ladders',
  paper_projection_batch_events: '1 to 100 live, 5,000 while it catches up',
  paper_projection_diverged: '0; at 1 run `npm run rebuild`',
  paper_projection_events_total: 'rises with the journal',
  paper_projection_lag_events: 'below 1,000; back to 0 at rest',
  paper_projection_lag_seconds: 'below 1 s',
  paper_projection_seq: 'follows `command_journal_seq`',
  paper_projection_up: '1 in one projector; a standby has no value',
  paper_read_models_diverged: '0; at 1 run `npm run rebuild`',
  paper_stream_dropped_total: 'rises rarely: by watchers that did not read',
  paper_stream_pulses_total: 'one for each watcher every 2 s; the maker changes while Redis is unreachable',
  paper_stream_watchers: 'the connected watchers',
  backtests_failed_total: '0; above 0, see the log for the reason',
  backtests_request_duration_seconds: 'any: a call waits for the turns of the other participants',
  backtests_requests_total: 'status 5xx below 0.1 %',
  backtests_running: 'at most BACKTESTS_MAX',
  backtests_started_total: 'any',
  pmxt_request_duration_seconds: 'p99 below 300 ms; a call asks the API, and cancelOrder three times',
  pmxt_requests_total: 'status 5xx below 0.1 %; 404 and 501 for methods that do not exist',
  portal_passwords_waiting: 'below 5; at 20 further sign-ins are 503, at 5 of one address its own are 429',
  portal_request_duration_seconds: 'p99 below 300 ms; a sign-in takes longer, by its password hash',
  portal_requests_total: 'status 5xx below 0.1 %; 401 and 429 rise if passwords are guessed',
  portal_sign_ups_open: '0; above 0, the API cannot be reached',
  portal_streams: 'the open browser tabs',
  pulse_publish_failures_total: 'does not rise; while Redis is unreachable, by one every 2 s',
  snapshot_failures_total: 'does not rise',
  snapshot_seq: 'not more than SNAPSHOT_EVERY (100,000) behind `command_journal_seq`',
};

/** Metrics of every process, which Node's Prometheus client adds. */
const OF_PROCESS: readonly (readonly [name: string, meaning: string, normal: string])[] = [
  ['process_resident_memory_bytes', 'Memory of the process', '100 to 400 MB; the leader grows with open orders'],
  ['process_cpu_seconds_total', 'Processor time', 'the leader uses one core at most'],
  ['process_start_time_seconds', 'The time of the start', 'changes only at a restart'],
  ['process_open_fds', 'Open files and connections', 'far below `process_max_fds`'],
  ['nodejs_eventloop_lag_p99_seconds', 'Delay of timers', 'below 0.05 s'],
  ['nodejs_heap_size_used_bytes', 'Memory of JavaScript objects', 'saw-tooth; a rising floor is a leak'],
  ['nodejs_gc_duration_seconds', 'Garbage collection', 'below 5 % of the time'],
];

/** The tables of docs/operate/metrics.md. */
export function metricsSections(): readonly GeneratedSection[] {
  const own = declaredMetrics(root).map(({ file, help, kind, name }) => [
    `\`${name}\``,
    kind,
    help,
    NORMAL_VALUES[name] ?? '',
    `[${path.basename(file)}](../../${file})`,
  ]);
  const common = OF_PROCESS.map(([name, meaning, normal]) => [`\`${name}\``, meaning, normal]);
  return [
    {
      file: 'docs/operate/metrics.md',
      name: 'metrics',
      text: table(['metric', 'kind', 'meaning', 'normal', 'declared in'], own),
    },
    { file: 'docs/operate/metrics.md', name: 'process metrics', text: table(['metric', 'meaning', 'normal'], common) },
  ];
}
