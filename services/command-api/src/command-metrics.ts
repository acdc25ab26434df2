import { APPEND_FAILED, CANNOT_FOLLOW_JOURNAL, CANNOT_READ_JOURNAL, STEPS_DOWN } from '@paper/command-side';
import type { WriterObserver } from '@paper/command-side';
import { createRetryLog } from '@paper/runtime';
import type { Logger, Metrics } from '@paper/runtime';
import type { Clock } from '@paper/timing';

const EVENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
const BYTES = [1024, 4096, 16_384, 65_536, 131_072, 262_144, 524_288, 1_048_576];

const UNKNOWN_OUTCOME = 'the outcome of an append is unknown; it is sent again';

/** Alarms that are raised again and again while a server is unreachable. */
const REPEATED_ALARMS = new Set([APPEND_FAILED, CANNOT_READ_JOURNAL, STEPS_DOWN]);

/** Turns the writer's reports into metrics and log lines. A repeated alarm writes one error line a minute. */
export function observeWriter(metrics: Metrics, logger: Logger, after?: Clock['after']): WriterObserver {
  const commands = metrics.counter('commands_total', 'Commands decided', ['type', 'outcome']);
  const queue = metrics.gauge('command_queue_depth', 'Commands that wait to be decided');
  const seconds = metrics.histogram(
    'journal_append_seconds',
    'From the first sending of a batch to its acknowledgement',
  );
  const events = metrics.histogram('journal_append_events', 'Events in one append', [], EVENTS);
  const bytes = metrics.histogram('journal_append_bytes', 'Bytes in one append', [], BYTES);
  const resends = metrics.counter('journal_append_resent_total', 'Appends of unknown outcome, sent again');
  const retries = createRetryLog(logger, after);
  const alarmed = createRetryLog({ warn: logger.error.bind(logger) }, after);
  const alarms = metrics.counter('command_alarms_total', 'Failures that an operator has to look at');
  return {
    alarm(message, error) {
      alarms.inc();
      if (REPEATED_ALARMS.has(message)) alarmed.failed(message, error);
      else logger.error({ err: error }, message);
    },
    appended(batch) {
      retries.works(UNKNOWN_OUTCOME);
      for (const repeated of REPEATED_ALARMS) alarmed.works(repeated);
      seconds.observe(batch.tookMs / 1000);
      events.observe(batch.events);
      bytes.observe(batch.bytes);
    },
    decided: (type, outcome) => commands.inc({ outcome, type }),
    noted(message, details) {
      if (message === CANNOT_FOLLOW_JOURNAL) retries.failed(message, details['error']);
      else logger.info(details, message);
    },
    queueDepth: (depth) => queue.set(depth),
    resent(_attempt, error) {
      resends.inc();
      retries.failed(UNKNOWN_OUTCOME, error);
    },
  };
}

interface ObservedLeadership {
  readonly leads: () => boolean;
  readonly journalSeq: () => number;
  readonly isClockTrusted: () => boolean;
  readonly journalAnswers: () => Promise<boolean>;
  readonly isJournalThreatened: () => boolean;
}

/** Exposes whether this process leads, whether it could lead, and the sequence that its state has reached. */
export function observeLeadership(metrics: Metrics, observed: ObservedLeadership): void {
  const { isClockTrusted, isJournalThreatened, journalAnswers, journalSeq, leads } = observed;
  const gauge = (name: string, help: string, read: () => number | boolean | Promise<boolean>): void => {
    metrics.gauge(name, help, { collect: async (one) => one.set(Number(await read())) });
  };
  gauge(
    'command_clock_trusted',
    "1 while this machine's clock fits the database's, 0 while nothing is decided by it",
    isClockTrusted,
  );
  gauge('command_journal_answers', '1 while the journal answers this process', journalAnswers);
  gauge(
    'command_journal_threatened',
    '1 while the journal can lose events, so that no command is taken',
    isJournalThreatened,
  );
  gauge('command_leads', '1 while this process takes commands, 0 while it stands by or does not serve', leads);
  gauge('command_journal_seq', 'Sequence of the journal that the memory of this process is durable up to', journalSeq);
}
