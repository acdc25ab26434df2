import { textsOf } from '@paper/exchange/snapshot';
import type { SnapshotTable } from '@paper/exchange/snapshot';
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeTable, encodeTable } from '../src/snapshots/table-bytes.ts';

/** Random texts, with unpaired surrogates too, and with more ids and hashes than chance would give. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 5 }).map((codes) => String.fromCharCode(...codes)),
  fc.uuid(),
  fc.stringMatching(/^([0-9a-f]{2})*$/),
);
/** Numbers that the format stores in different ways, with the limits of each way. */
const number = fc.oneof(
  fc.constantFrom(0, 1, 255, 256, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53 - 1, 0.25),
  fc.maxSafeInteger(),
  fc.nat(),
);

const table = fc.integer({ min: 1, max: 40 }).chain((rows) => {
  const size = { maxLength: rows, minLength: rows };
  return fc.record({
    kind: fc.constant('signal'),
    rows: fc.constant(rows),
    columns: fc.record({
      hash: fc.array(fc.stringMatching(/^[0-9a-f]{64}$/), size).map(textsOf),
      key: fc.array(text, size).map(textsOf),
      seq: fc.array(number, size).map((numbers) => new Float64Array(numbers)),
      small: fc.array(fc.integer({ min: 0, max: 255 }), size).map((numbers) => new Float64Array(numbers)),
    }),
  });
}) as unknown as fc.Arbitrary<SnapshotTable>;

describe('the bytes of a table', () => {
  it('give the same table again', () => {
    fc.assert(
      fc.property(table, (given) => {
        expect(decodeTable(encodeTable(given))).to.deep.equal(given);
      }),
      { seed: 22, numRuns: 100 },
    );
  });

  it('hold numbers as narrow, and hex digits as few, as all of their column can be', () => {
    const sizeOf = (columns: object): number =>
      encodeTable({ kind: 'signal', rows: 1_000, columns } as SnapshotTable).length / 1_000;
    const numbers = (last: number) => ({ seq: new Float64Array(1_000).fill(last, 999) });
    expect([255, -1, 0.5].map((last) => Math.floor(sizeOf(numbers(last))))).to.deep.equal([1, 4, 8]);
    const texts = (each: string) => ({ key: textsOf(new Array<string>(1_000).fill(each)) });
    // Each text takes one byte more for its length.
    expect(['0af1', 'gaf1', '€af1'].map((each) => Math.floor(sizeOf(texts(each))))).to.deep.equal([3, 5, 9]);
  });

  it('are refused when something is missing, or too much', () => {
    const bytes = encodeTable({ kind: 'run', rows: 2, columns: { marketId: textsOf(['one', 'another']) } });
    const refusals = new Set<string>();
    for (let length = 0; length < bytes.length; length += 1) {
      try {
        decodeTable(bytes.subarray(0, length));
        refusals.add('none');
      } catch (error) {
        refusals.add((error as Error).message);
      }
    }
    expect([...refusals]).to.deep.equal(['its table is cut off']);
    const longer = Buffer.concat([bytes, Buffer.of(0)]);
    expect(() => decodeTable(longer)).to.throw('its table goes on for 1 bytes after its end');
  });

  it('are refused when their texts are longer than all of them together', () => {
    const bytes = encodeTable({ kind: 'run', rows: 2, columns: { marketId: textsOf(['one', 'another']) } });
    bytes[bytes.length - 'oneanother'.length - 1] = 8;
    expect(() => decodeTable(bytes)).to.throw('its texts are 11 characters long, here are 10');
  });
});
