import { expect } from 'chai';
import { createState, decide, evolve } from '@paper/exchange';
import type { Command } from '@paper/exchange';
import { createWorkload } from '../src/workload.ts';

function run(seed: number, commands: number): { sent: Command[]; coverage: ReadonlyMap<string, number> } {
  const workload = createWorkload({ seed });
  const state = createState();
  const sent: Command[] = [];
  for (let index = 0; index < commands; index++) {
    const command = workload.next();
    const decision = decide(state, command);
    if (decision.kind === 'accepted') decision.events.forEach((event, at) => evolve(state, event, at ? null : command));
    workload.observe(command, decision);
    sent.push(command);
  }
  return { sent, coverage: workload.coverage };
}

describe('the seeded workload', () => {
  it('sends the same commands for the same seed and the same decisions', () => {
    expect(run(7, 300).sent).to.deep.equal(run(7, 300).sent);
    expect(run(8, 300).sent).not.to.deep.equal(run(7, 300).sent);
  });

  it('gives every command an id of its own', () => {
    const ids = run(9, 1_000).sent.map((command) => command.id.slice(0, 33));
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('starts in any seed, and trades', () => {
    for (let seed = 1; seed <= 300; seed++) run(seed, 25);
    expect(run(10, 600).coverage.get('fill mint')).to.be.at.least(10);
  });
});
