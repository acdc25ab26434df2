import { createHash } from 'node:crypto';
import { createState, evolve } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import { snapshot, SNAPSHOT_VERSION } from '@paper/exchange/snapshot';
import { expect } from 'chai';
import { goldenSteps, RULES_VERSIONS } from '../golden.ts';

/**
 * SHA-256 over the snapshots that stood after each accepted decision of the golden corpora, by SNAPSHOT_VERSION. It
 * stays once its version is released.
 */
const FINGERPRINTS: Readonly<Record<number, string>> = {
  9: '5488bf05176f9e20414d9fb4856df0d6218cadf19d191aeec82e0c00c890982d',
};

describe('the version of snapshots', () => {
  it('rises when a snapshot, or the state that the golden corpora fold to, becomes another', () => {
    const hash = createHash('sha256');
    for (const version of RULES_VERSIONS) {
      const state = createState();
      for (const { command, decision } of goldenSteps(version)) {
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
    }
    expect(hash.digest('hex')).to.equal(FINGERPRINTS[SNAPSHOT_VERSION]);
  });
});
