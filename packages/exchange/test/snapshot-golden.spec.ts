import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createState, evolve, RULES_VERSION, snapshot, SNAPSHOT_VERSION, type Command } from '@paper/exchange';
import { expect } from 'chai';
import { goldenFile, type GoldenStep } from './golden.ts';

/** SHA-256 over the snapshots that stood after each accepted decision of the golden corpus, by SNAPSHOT_VERSION. */
const FINGERPRINTS: Readonly<Record<number, string>> = {
  3: '9dec8198f982d2e3e45a5e8a06c749eba1beec45d1d2469b560a74856ea5346b',
};

describe('the version of snapshots', () => {
  it('rises when a snapshot, or the state that the golden corpus folds to, becomes another', () => {
    const state = createState();
    const hash = createHash('sha256');
    for (const line of readFileSync(goldenFile(RULES_VERSION), 'utf8').trimEnd().split('\n')) {
      const { command, decision } = JSON.parse(line) as GoldenStep;
      if (decision.kind !== 'accepted') continue;
      let first: Command | null = command;
      for (const event of decision.events) {
        evolve(state, event, first);
        first = null;
      }
      hash.update(
        JSON.stringify([...snapshot(state)], (_, value: unknown) =>
          value instanceof Float64Array ? [...value] : value,
        ),
      );
    }
    expect(hash.digest('hex')).to.equal(FINGERPRINTS[SNAPSHOT_VERSION]);
  });
});
