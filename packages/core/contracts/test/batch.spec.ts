import { expect } from 'chai';
import { BatchCommand, BatchInput } from '../src/operator/batch.ts';

describe('a batch', () => {
  const read = (...commands: unknown[]) => BatchInput.parse({ commands }).commands;
  const pause = { op: 'pause-market', id: 'm' };

  it('gives commands with their defaults', () => {
    expect(read(pause, { op: 'open-account', displayName: 'Ann' })).to.deep.equal([
      pause,
      { op: 'open-account', displayName: 'Ann', permissions: ['view', 'trade', 'master', 'reconcile'] },
    ]);
  });

  it('says of each item by itself what is wrong with it, and keeps the others', () => {
    const items = read(
      { op: 'resolve-market', id: 'm', outcome: 'maybe' },
      pause,
      { ...pause, force: true },
      JSON.parse('{"op":"pause-market","id":"m","__proto__":{"force":true}}'),
      { op: 'close-market' },
      {},
    );
    const failures = items.map((item) => (item.op === null ? item.error : item.op));
    expect(failures.slice(0, 5)).to.deep.equal([
      'validation failure: outcome: must be yes or no',
      'pause-market',
      'validation failure: force: is not a field here; remove it',
      'validation failure: __proto__: is not a field here; remove it',
      'validation failure: id: is required: text',
    ]);
    for (const { shape } of BatchCommand.options) expect(failures[5]).to.include(shape.op.value);
  });

  it('is refused as a whole only where it is not 1 to 500 objects', () => {
    const refused = (body: unknown): boolean => !BatchInput.safeParse(body).success;
    for (const commands of [[], [1], [null], [[]], ['pause-market'], [pause, true], {}, null, Array(501).fill(pause)]) {
      expect(refused({ commands }), JSON.stringify(commands).slice(0, 50)).to.equal(true);
    }
    expect(refused({ commands: [pause], also: 1 })).to.equal(true);
    expect(refused([pause])).to.equal(true);
    expect(refused({ commands: Array(500).fill({}) })).to.equal(false);
  });
});
