import type { Settings } from '@paper/exchange';
import type { Journal } from '@paper/journal';
import { Leadership } from '@paper/command-api/leadership/leadership';
import type { Ids } from '@paper/command-api/random';
import type { Ask, Decided } from '@paper/command-api/writer/ask';
import { ClosingClock } from '@paper/command-api/writer/closing';
import type { Beginning } from '@paper/command-api/writer/load';
import type { WriterObserver } from '@paper/command-api/writer/observer';
import { Writer } from '@paper/command-api/writer/writer';
import { createLease, createLogger, createMetrics, type LeaseStore } from '@paper/service-kit';
import type { Machine } from './machine.ts';

export interface CommandProcessOptions {
  readonly machine: Machine;
  readonly journal: Journal;
  readonly begin: Beginning;
  /** Null: a second writer that somebody started without a lease. */
  readonly leases: LeaseStore | null;
  readonly settings: Settings;
  readonly ids: Ids;
  readonly slice: number;
  readonly note: (text: string) => void;
  /** The process has ended by itself, as its main would. */
  readonly onEnd: (why: string) => void;
  /** What the process believes of its lease, for a test that bends it. */
  readonly believes?: (leads: () => boolean) => () => boolean;
}

const logger = createLogger({ level: 'silent', name: 'sim' });

/** One life of a command API as its main composes it, without HTTP: lease, standby, writer and the closing clock. */
export class CommandProcess {
  readonly #writer: Writer;
  readonly #leadership: Leadership | null;
  readonly #closing: ClosingClock;

  constructor(private readonly options: CommandProcessOptions) {
    const { machine, journal, begin, leases, settings, ids, slice, note, onEnd } = options;
    const observer: WriterObserver = {
      alarm: (message, error) => note(`alarm: ${message}${error instanceof Error ? ` (${error.message})` : ''}`),
      appended: ({ events }) => note(`appended ${events} events`),
      decided: (type, outcome) => note(`decided ${type}: ${outcome}`),
      noted: (message) => note(message),
      queueDepth: () => undefined,
      resent: (attempt, error) => note(`append ${attempt} is sent again: ${String(error)}`),
    };
    const onFenced = (error: Error): void => onEnd(error.message);
    this.#leadership =
      leases === null
        ? null
        : new Leadership({
            begin,
            clock: machine,
            journal,
            lease: createLease({
              address: () => machine.name,
              clock: { after: machine.after, now: machine.monotonic },
              logger,
              metrics: createMetrics(),
              name: 'writer:sim',
              store: leases,
            }),
            observer,
            onLost: (error) => this.#writer.fence(error),
          });
    const leads = this.#leadership?.leads ?? (() => true);
    this.#writer = new Writer({
      begin: this.#leadership?.begin ?? begin,
      build: machine.name,
      clock: machine,
      ids,
      journal,
      leads: options.believes?.(leads) ?? leads,
      observer,
      onFenced,
      settings,
      slice,
    });
    this.#closing = new ClosingClock(this.#writer, machine, observer, ids);
  }

  get machine(): Machine {
    return this.options.machine;
  }

  /** Whether it was elected, so that what it tells of its memory has to be the newest. */
  get elected(): boolean {
    return this.#leadership !== null;
  }

  get serving(): boolean {
    return !this.machine.killed && this.#writer.serving;
  }

  get writer(): Pick<Writer, 'state' | 'status'> {
    return this.#writer;
  }

  start(): void {
    const begin = async (): Promise<void> => {
      await this.#leadership?.turn();
      await this.#writer.start();
      this.options.note(`serves from sequence ${this.#writer.status().journalSeq}`);
      this.#closing.arm();
    };
    begin().catch((error: unknown) => this.options.onEnd(String(error)));
  }

  async submit<T>(ask: Ask<T>): Promise<Decided<T>> {
    const decided = await this.#writer.submit(ask);
    if (ask.lane.startsWith('operator:')) this.#closing.arm();
    return decided;
  }

  /** Stops as a supervisor asks it to; it ends by itself then. */
  async stop(): Promise<void> {
    this.#closing.stop();
    this.#leadership?.stopWaiting();
    await this.#writer.stop(1_500);
    await this.#leadership?.end();
    this.options.onEnd('stopped');
  }
}
