import { createState, decide, evolve } from '@paper/exchange';
import type { Decision } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import { createMemoryJournal, EMPTY_HEAD, encodeDecision } from '@paper/journal';
import type { Head, Journal, StoredEvent } from '@paper/journal';
import { createWorkload } from './workload.ts';
import type { Workload, WorkloadOptions } from './workload.ts';

/** An exchange that decides at once and stores its decisions, without the queue and the fault handling of a writer. */
export class StoredExchange {
  readonly state = createState();
  #head: Head = EMPTY_HEAD;

  /** Without `newSalt` all events have the same salt, so that the same commands make the same journal. */
  constructor(
    readonly journal: Journal = createMemoryJournal(),
    private readonly newSalt: () => string = () => 'ab'.repeat(16),
  ) {}

  get head(): Head {
    return this.#head;
  }

  /** Decides the command and evolves the state. The caller appends `stored`, which is empty after a refusal. */
  take(command: Command) {
    const decision = decide(this.state, command);
    if (decision.kind !== 'accepted') return { decision, stored: [] as readonly StoredEvent[], bytes: 0 };
    const { events } = decision;
    const { bytes, head, stored } = encodeDecision({ command, events, head: this.#head, salt: this.newSalt() });
    for (const [index, event] of events.entries()) evolve(this.state, event, index === 0 ? command : null);
    this.#head = head;
    return { decision, stored, bytes };
  }

  async submit(command: Command): Promise<Decision> {
    const before = this.#head;
    const { decision, stored } = this.take(command);
    if (stored.length > 0) await this.journal.append(before, stored);
    return decision;
  }
}

/** The journal of a seeded workload, and the state that a fold of this journal must equal. */
export class SimulatedJournal extends StoredExchange {
  /** The sequence of the last event of each decision. */
  readonly ends: number[] = [];
  readonly #workload: Workload;

  constructor(options: WorkloadOptions, journal?: Journal) {
    super(journal);
    this.#workload = createWorkload(options);
  }

  override take(command: Command) {
    const taken = super.take(command);
    this.#workload.observe(command, taken.decision);
    if (taken.stored.length > 0) this.ends.push(this.head.seq);
    return taken;
  }

  /** Submits this many more commands of the workload. */
  async run(commands: number): Promise<void> {
    for (let i = 0; i < commands; i += 1) await this.submit(this.#workload.next());
  }
}
