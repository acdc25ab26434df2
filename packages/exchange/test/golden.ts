import { createState, decide, evolve, type Command, type Decision } from '@paper/exchange';
import path from 'node:path';

/** One line of a golden file: a command and what the rules of that version made of it, in one run from the start. */
export interface GoldenStep {
  readonly command: Command;
  readonly decision: Decision;
}

/** The golden file of a version of the rules. A file that is there is never changed. */
export function goldenFile(rulesVersion: number): string {
  return path.join(import.meta.dirname, `golden/rules-${rulesVersion}.jsonl`);
}

/** Decides commands one after the other from the first state on. */
export function decideAll(commands: readonly Command[]): readonly GoldenStep[] {
  const state = createState();
  return commands.map((command) => {
    const decision = decide(state, command);
    if (decision.kind === 'accepted') {
      let first: Command | null = command;
      for (const event of decision.events) {
        evolve(state, event, first);
        first = null;
      }
    }
    return { command, decision };
  });
}
