/**
 * Writes the golden file of a new version of the rules: `node --import tsx packages/core/exchange/test/write-golden.ts`.
 *
 * An existing file stays: a change of its content is a change of the rules, and that needs a new RULES_VERSION. Only a
 * file whose version is not released yet may be deleted and written again.
 */
import { applyDecision, createState, decide, evolve, RULES_VERSION } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import { createWorkload } from '@paper/testkit';
import { writeFileSync } from 'node:fs';
import { coverageOf, decideAll, everythingOf, goldenFile } from './golden.ts';
import type { GoldenStep } from './golden.ts';

/** The steps of this seed: a workload, then its orders once more with approval required, which is rare in workloads. */
function stepsOf(seed: number): readonly GoldenStep[] {
  const workload = createWorkload({ byPrimaries: true, seed });
  const state = createState();
  const commands: Command[] = [];
  const give = (command: Command): void => {
    const decision = decide(state, command);
    commands.push(command);
    if (decision.kind === 'accepted') {
      decision.events.forEach((event, index) => evolve(state, event, index === 0 ? command : null));
      workload.observe(command, { kind: decision.kind, events: decision.events });
    } else {
      workload.observe(command, { kind: decision.kind, ...('code' in decision ? { code: decision.code } : {}) });
    }
  };
  while (commands.length < 700) give(workload.next());
  const epoch = commands.find((command) => command.type === 'StartWriterEpoch');
  if (epoch?.type !== 'StartWriterEpoch') throw new Error('the workload starts no epoch');
  give({ ...epoch, id: epoch.id.replace(/.$/, 'f'), settings: { ...state.settings, complianceMode: 'kyc' } });
  for (const command of [...commands]) {
    if (command.type === 'PlaceOrder') give({ ...command, idempotency: null });
  }
  // The commands are parsed from JSON as in the file, where a value that is no JSON number (such as NaN) is null.
  return decideAll(
    JSON.parse(JSON.stringify(withRenames([...commands.slice(0, 800), unknownKey(epoch)]))) as Command[],
  );
}

/** The operator revokes a key that never existed. */
function unknownKey({ at, causationId, correlationId }: Command): Command {
  const id = causationId.replace(/.$/, '9');
  const by = { kind: 'operator', name: 'ops' } as const;
  return { at, by, causationId, correlationId, id, idempotency: null, keyId: id, type: 'RevokeApiKey' };
}

/** The commands, then changes of a name: the first, one too soon, and one a week later. Two are rare in workloads. */
function withRenames(commands: readonly Command[]): readonly Command[] {
  const state = createState();
  for (const command of commands) {
    const decision = decide(state, command);
    if (decision.kind === 'accepted') applyDecision(state, decision.events, command);
  }
  const key = [...state.keys.values()].find(
    ({ account, permissions, revokedAt }) =>
      revokedAt === null && account.primary === null && !account.isClosed && permissions.includes('master'),
  );
  if (key === undefined) return commands;
  const by = { accountId: key.account.id, keyId: key.id, kind: 'key' } as const;
  const renames = [0, 1, 7 * 24 * 60 * 60 * 1000].map((laterMs, index): Command => {
    const id = key.id.replace(/.$/, String(index));
    const at = state.lastAt + laterMs;
    const nameDigest = String(index).repeat(64);
    return { at, by, causationId: id, correlationId: id, id, idempotency: null, nameDigest, type: 'RenameAccount' };
  });
  return [...commands, ...renames];
}

function hasEverything(steps: readonly GoldenStep[]): boolean {
  const covered = new Set(coverageOf(steps));
  return everythingOf(RULES_VERSION).every((one) => covered.has(one));
}

let seed = 1;
while (!hasEverything(stepsOf(seed))) seed += 1;
const lines = stepsOf(seed).map((step) => JSON.stringify(step));
writeFileSync(goldenFile(RULES_VERSION), `${lines.join('\n')}\n`, { flag: 'wx' });
