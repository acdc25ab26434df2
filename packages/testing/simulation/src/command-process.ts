import type { Decision } from '@paper/exchange';
import type { Command, Settings } from '@paper/exchange/commands';
import type { Journal } from '@paper/journal';
import { CommandProcessor } from '@paper/command-side';
import type {
  Ids,
  CommandLane,
  CommandResult,
  ReferenceClock,
  StartPoint,
  WriterObserver,
  Writer,
} from '@paper/command-side';
import { createLease, createLogger, createMetrics } from '@paper/runtime';
import type { Lease, LeaseStore, Tenure } from '@paper/runtime';
import type { Machine } from './machine.ts';

export interface CommandProcessOptions {
  readonly machine: Machine;
  readonly journal: Journal;
  readonly begin: StartPoint;
  /** The leases; null for a second writer that was started without one. */
  readonly leases: LeaseStore | null;
  readonly settings: Settings;
  readonly ids: Ids;
  readonly slice: number;
  readonly note: (text: string) => void;
  /** Called when the process has ended by itself, as its main program does. */
  readonly onEnd: (why: string) => void;
  readonly databaseClock: ReferenceClock;
  /** Wraps the lease's tenure, so that a test can add a fault. */
  readonly tenure?: ((real: Tenure) => Tenure) | undefined;
}

const logger = createLogger({ level: 'silent', name: 'sim' });

/** One process of a command API with the parts that its main program uses, but without HTTP. */
export class CommandProcess {
  readonly #processor: CommandProcessor;

  constructor(private readonly options: CommandProcessOptions) {
    const { machine, journal, begin, databaseClock, leases, settings, ids, slice, note, onEnd } = options;
    const observer: WriterObserver = {
      alarm: (message, error) => note(`alarm: ${message}${error instanceof Error ? ` (${error.message})` : ''}`),
      appended: ({ events }) => note(`appended ${events} events`),
      decided: (type, outcome) => note(`decided ${type}: ${outcome}`),
      noted: (message) => note(message),
      queueDepth: () => undefined,
      resent: (attempt, error) => note(`append ${attempt} is sent again: ${String(error)}`),
    };
    this.#processor = new CommandProcessor({
      loadFrom: begin,
      build: machine.name,
      clock: machine,
      databaseClock,
      ids,
      journal,
      ...(leases === null ? {} : { lease: this.#lease(leases) }),
      observer,
      onFenced: (error) => onEnd(error.message),
      settings,
      slice,
    });
  }

  get machine(): Machine {
    return this.options.machine;
  }

  /** Whether the process was elected, so that its answers must be based on the newest state. */
  get elected(): boolean {
    return this.options.leases !== null;
  }

  get serving(): boolean {
    return !this.machine.killed && this.#processor.writer.serving;
  }

  get writer(): Pick<Writer, 'state' | 'status' | 'usage'> {
    return this.#processor.writer;
  }

  start(): void {
    const begin = async (): Promise<void> => {
      await this.#processor.start();
      this.options.note(`serves from sequence ${this.writer.status().journalSeq}`);
    };
    begin().catch((error: unknown) => this.options.onEnd(String(error)));
  }

  /** Submits a command. The answer is the decision itself. */
  submit(lane: CommandLane, command: Command): Promise<CommandResult<Decision>> {
    return this.#processor.writer.submit(lane, command, (decision) => decision);
  }

  /** Requests a stop, as a supervisor does. The process then ends by itself. */
  async stop(): Promise<void> {
    await this.#processor.stop(1_500);
    this.options.onEnd('stopped');
  }

  #lease(store: LeaseStore): Lease {
    const { machine, tenure: bend = (real: Tenure) => real } = this.options;
    const lease = createLease({
      address: () => machine.name,
      clock: machine,
      logger,
      metrics: createMetrics(),
      name: 'writer:sim',
      store,
    });
    return {
      ...lease,
      async acquire(signal, isFit) {
        const real = await lease.acquire(signal, isFit);
        return real === null ? null : bend(real);
      },
    };
  }
}
