import { expect } from 'chai';
import { applyDecision, createState, decide, dueTimer, RULES_VERSION } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import { createWorkload } from '../src/workload.ts';
import type { Workload } from '../src/workload.ts';

function take(workload: Workload, state: State, command: Command): void {
  const decision = decide(state, command);
  if (decision.kind === 'accepted') applyDecision(state, decision.events, command);
  workload.observe(command, decision);
}

function run(
  seed: number,
  commands: number,
  rulesVersion: number = RULES_VERSION,
): { sent: Command[]; coverage: ReadonlyMap<string, number> } {
  const workload = createWorkload({ rulesVersion, seed });
  const state = createState();
  const sent: Command[] = [];
  for (let index = 0; index < commands; index++) {
    const command = workload.next();
    take(workload, state, command);
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

  it('sends what the clock has to do before any other command', () => {
    let timers = 0;
    for (const options of [{ seed: 11 }, { seed: 12 }, { rulesVersion: 1, seed: 13, upgradeAfter: 300 }]) {
      const workload = createWorkload(options);
      const state = createState();
      for (let index = 0; index < 700; index++) {
        const command = workload.next();
        const due = state.rulesVersion < 3 || command.type === 'StartWriterEpoch' ? null : dueTimer(state, command.at);
        if (due !== null) {
          timers += 1;
          expect(command, `seed ${options.seed}, command ${index}`).to.deep.include({ ...due, by: { kind: 'system' } });
        }
        take(workload, state, command);
      }
    }
    expect(timers).to.be.at.least(20);
  });

  it('goes on when nobody decides what the clock has to do', () => {
    const workload = createWorkload({ seed: 14 });
    const state = createState();
    const clocks = new Set<Command['type']>(['ExpireOrders', 'FireDeadManSwitch']);
    let others = 0;
    for (let index = 0; index < 1_500; index++) {
      const command = workload.next();
      if (clocks.has(command.type)) continue;
      others += 1;
      take(workload, state, command);
    }
    expect(others).to.be.at.least(1_000);
  });

  it('sends no order tools by rules before them', () => {
    const { coverage } = run(15, 700, 2);
    const tools = /order with|post-only|sub-account|AmendOrder|CancelOrders|MergeShares|DeadMan|Mandate|ExpireOrders/;
    expect([...coverage.keys()].filter((what) => tools.test(what))).to.deep.equal([]);
    expect([...run(15, 700).coverage.keys()].some((what) => tools.test(what))).to.equal(true);
  });

  it('starts in any seed, and trades', () => {
    for (let seed = 1; seed <= 300; seed++) run(seed, 25);
    expect(run(10, 600).coverage.get('fill mint')).to.be.at.least(10);
  });
});
