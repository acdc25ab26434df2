import { readFileSync } from 'node:fs';
import { endpoints, MAX_BODY_BYTES, publishedCost, READ_COST_MAX } from '@paper/contracts';
import { expect } from 'chai';
import { createRateLimiter } from '../src/index.ts';
import { LIMITS } from '../src/limits.ts';

const KIB = 1024;
const SECURITY = new URL('../../../../docs/operate/security.md', import.meta.url);

/** The numbers in a row of the table in docs/operate/security.md, in their order. */
function told(limit: string): readonly number[] {
  const row = readFileSync(SECURITY, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${limit} `));
  if (row === undefined) throw new Error(`security.md tells nothing of ${limit}`);
  return [...(row.split('|')[2] ?? '').matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

describe('the limits of docs/operate/security.md', () => {
  it('are those of every server', () => {
    expect(told('request line and headers')).to.deep.equal([LIMITS.headerBytes / KIB]);
    expect(told('body')).to.deep.equal([MAX_BODY_BYTES / KIB, endpoints.runOperatorBatch.maxBodyBytes / KIB ** 2]);
    expect(told('until headers and body have arrived')).to.deep.equal([LIMITS.arrivalMs / 1_000]);
    expect(told('until an answer is made')).to.deep.equal([LIMITS.answerMs / 1_000]);
    expect(told('until an answer that was sent is read')).to.deep.equal([LIMITS.deliveryMs / 1_000]);
    expect(told('answers of 429 or 421 in a row')).to.deep.equal([LIMITS.refusalsInRow]);
    expect(told('an idle connection')).to.deep.equal([LIMITS.keepAliveMs / 1_000]);
    expect(told('connections of a process')).to.deep.equal([LIMITS.connections, LIMITS.operationConnections]);
  });

  it('are those of the rates', () => {
    const limiter = createRateLimiter({ now: () => 0 });
    for (const [bucket, row] of [
      ['commands', 'commands a second'],
      ['reads', 'units of reads a second'],
    ] as const) {
      const { quota, windowSeconds } = limiter.consume({ bucket, subject: 'somebody' });
      expect(told(row)).to.deep.equal([quota / windowSeconds, quota]);
    }
    for (const [bucket, row] of [
      ['commands', "a fleet's commands a second"],
      ['reads', "a fleet's units of reads a second"],
    ] as const) {
      let units = 0;
      for (let key = 0; key < 10; key += 1) {
        while (limiter.consume({ bucket, subject: `key ${key}`, fleet: 'fleet' }).allowed) units += 1;
      }
      expect(told(row)).to.deep.equal([units / 2, units]);
    }
    const costs = Object.values(endpoints).flatMap(({ cost }) => (cost === null ? [] : [publishedCost(cost)['max']]));
    expect(told('units that one read costs')).to.deep.equal([1, READ_COST_MAX]);
    expect(Math.max(...costs.map(Number))).to.be.at.most(READ_COST_MAX);
    const { quota, windowSeconds } = limiter.consume({ bucket: 'operators', subject: 'somebody' });
    expect(told("an operator's calls a second")).to.deep.equal([quota / windowSeconds]);
  });
});
