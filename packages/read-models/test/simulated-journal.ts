import { createState, decide, evolve, type Command, type State } from '@paper/exchange';
import { createMemoryJournal, EMPTY_HEAD, encodeDecision, type Head, type Journal } from '@paper/journal';
import { createWorkload, type WorkloadOptions } from '@paper/testkit';

/** A journal that a real exchange writes, and that exchange's state: what a fold of the journal must equal. */
export interface SimulatedJournal {
  readonly journal: Journal;
  readonly state: State;
  /** Sequence of the last event of each decision. */
  readonly ends: readonly number[];
  head(): Head;
  /** Decides, and appends what was decided. */
  submit(command: Command): Promise<void>;
  /** Submits this many more commands of the seeded workload. */
  run(commands: number): Promise<void>;
}

export function simulateJournal(options: WorkloadOptions, journal = createMemoryJournal()): SimulatedJournal {
  const state = createState();
  const workload = createWorkload(options);
  const ends: number[] = [];
  let head: Head = EMPTY_HEAD;
  const submit = async (command: Command): Promise<void> => {
    const decision = decide(state, command);
    workload.observe(command, decision);
    if (decision.kind !== 'accepted') return;
    const encoded = encodeDecision({ command, events: decision.events, head, salt: 'ab'.repeat(16) });
    await journal.append(head, encoded.stored);
    for (const [index, event] of decision.events.entries()) evolve(state, event, index === 0 ? command : null);
    head = encoded.head;
    ends.push(head.seq);
  };
  return {
    journal,
    state,
    ends,
    head: () => head,
    submit,
    async run(commands) {
      for (let i = 0; i < commands; i += 1) await submit(workload.next());
    },
  };
}
