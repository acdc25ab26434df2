import { createState, decide, evolve, type State } from '@paper/exchange';
import { EMPTY_HEAD, encodeDecision, type Head, type Journal, type StoredEvent } from '@paper/journal';
import { createWorkload } from '@paper/testkit';

/** A seeded exchange whose decisions go into a journal. */
export class StoredWorkload {
  readonly state: State = createState();
  head: Head = EMPTY_HEAD;
  private readonly workload;

  constructor(
    readonly journal: Journal,
    seed: number,
  ) {
    this.workload = createWorkload({ seed });
  }

  /** Decides that many commands, and appends what they were decided to. */
  async run(commands: number): Promise<void> {
    const expected = this.head;
    const batch: StoredEvent[] = [];
    for (let n = 0; n < commands; n += 1) {
      const command = this.workload.next();
      const decision = decide(this.state, command);
      this.workload.observe(command, decision);
      if (decision.kind !== 'accepted') continue;
      const { events } = decision;
      const encoded = encodeDecision({ command, events, head: this.head, salt: '00'.repeat(16) });
      batch.push(...encoded.stored);
      for (const [index, event] of events.entries()) evolve(this.state, event, index === 0 ? command : null);
      this.head = encoded.head;
    }
    await this.journal.append(expected, batch);
  }
}
