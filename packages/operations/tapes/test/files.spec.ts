import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { LINE_CHARACTERS_MAX, openTape, splitLines } from '../src/index.ts';
import { delta, folderOf, ndjson, readTape, snapshot, tapeOf, refusalOf } from './written-tape.ts';

const LINES = [
  snapshot(0, [['0.4000', '10.00']], [['0.5000', '10.00']]),
  ...Array.from({ length: 400 }, (_, index) => delta(index, 'yes', `0.${10 + (index % 30)}00`, `${1 + index}.25`)),
];
const TEXT = ndjson(LINES);

describe('the files of a tape', () => {
  it('are one tape in the order of their names, without links, dot files and folders', async () => {
    const whole = await tapeOf({ a: TEXT });
    const folder = folderOf({
      '2026-08-02.ndjson': ndjson(LINES.slice(200)),
      '2026-08-01.ndjson.gz': gzipSync(ndjson(LINES.slice(0, 200))),
      '.hidden': 'nothing',
    });
    mkdirSync(path.join(folder, 'deeper'));
    symlinkSync('/etc/hosts', path.join(folder, 'link'));
    const { played, summary } = await readTape(folder);
    expect(played).to.deep.equal(whole.played);
    expect(summary.id).to.equal(path.basename(folder));
  });

  it('are identified by their bytes: of one file its SHA-256, of several that of what sha256sum prints', async () => {
    const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
    const folder = folderOf({ 'a.ndjson': TEXT });
    const file = path.join(folder, 'a.ndjson');
    const one = { bytes: Buffer.byteLength(TEXT), sha256: sha256(TEXT) };
    expect((await openTape(folder)).summary).to.include(one);
    expect((await openTape(file)).summary).to.include({ ...one, id: 'a.ndjson' });
    const json = '{"markets":[]}';
    writeFileSync(path.join(folder, 'tape.json'), json);
    expect((await openTape(folder)).summary).to.include({
      bytes: one.bytes + json.length,
      sha256: sha256(`${sha256(TEXT)}  a.ndjson\n${sha256(json)}  tape.json\n`),
    });
  });

  it('are read compressed or not, whatever their name', async () => {
    const plain = await tapeOf({ a: TEXT });
    const packed = await tapeOf({ a: gzipSync(TEXT) });
    const members = await tapeOf({
      a: Buffer.concat([gzipSync(ndjson(LINES.slice(0, 7))), gzipSync(ndjson(LINES.slice(7)))]),
    });
    expect(packed.played).to.deep.equal(plain.played);
    expect(members.played).to.deep.equal(plain.played);
  });

  it('are read to the cut, where compressed data are cut off, and it is counted', async () => {
    const packed = gzipSync(TEXT);
    const { played } = await tapeOf({ a: TEXT });
    for (const bytes of [
      packed.length - 1,
      packed.length - 9,
      Math.floor(packed.length / 2),
      Math.floor(packed.length / 3),
    ]) {
      const cut = packed.subarray(0, bytes);
      const read = gunzipSync(cut, { finishFlush: 2 }).toString();
      const { lines, played: left, summary } = await tapeOf({ a: cut });
      const whole = read.split('\n').length - 1;
      expect(left.length, `${bytes} bytes`).to.be.at.least(whole);
      expect(left).to.deep.equal(played.slice(0, left.length));
      expect(lines.read).to.be.at.least(whole);
      expect(summary.skipped.find(({ reason }) => reason === 'cut')?.firstLine).to.equal(lines.read);
    }
  });

  it('are refused where compressed data are damaged', async () => {
    const packed = gzipSync(TEXT);
    packed.fill(0xff, 400, 440);
    expect(await refusalOf({ 'a.gz': packed })).to.match(
      /^TAPE is refused: the compressed data of a\.gz are damaged \(.+\)\.$/,
    );
  });

  it('have beside them no more than 16 MiB, which are in memory', async () => {
    const files = { a: TEXT, 'news.jsonl': ' '.repeat(16 * 1024 * 1024 + 1) };
    expect(await refusalOf(files)).to.equal('TAPE is refused: its news.jsonl has more than 16 MiB.');
  });

  it('that are not there are an error of another kind', async () => {
    const error = await openTape('/nowhere/tape').catch((caught: unknown) => caught);
    expect(String(error)).to.equal('Error: /nowhere/tape: there is no such file or folder.');
  });
});

describe('splitting into lines', () => {
  const linesOf = async (parts: Iterable<Uint8Array>): Promise<(string | null)[]> => {
    const lines: (string | null)[] = [];
    for await (const some of splitLines(parted(parts))) lines.push(...some);
    return lines;
  };
  async function* parted(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for (const part of parts) yield await Promise.resolve(part);
  }

  it('gives the same lines wherever the parts begin and end', async () => {
    const bytes = Buffer.from('\ufeffα {"a":"€"}\r\n\n𝄞 last\nno end – ü');
    const whole = await linesOf([bytes]);
    expect(whole).to.deep.equal(['α {"a":"€"}', '', '𝄞 last', 'no end – ü']);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await linesOf([bytes.subarray(0, at), bytes.subarray(at)]), `at ${at}`).to.deep.equal(whole);
    }
    const random = createRandom(35);
    for (let round = 0; round < 200; round += 1) {
      const parts: Uint8Array[] = [];
      for (let at = 0; at < bytes.length;) {
        const next = at + random.int(0, 4);
        parts.push(bytes.subarray(at, next));
        at = next;
      }
      expect(await linesOf(parts)).to.deep.equal(whole);
    }
  });

  it('holds no more than a line of the limit in memory: what is longer is one line that cannot be read', async () => {
    const part = Buffer.alloc(1024 * 1024, 'x');
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const inUse = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    let largest = 0;
    function* endless(): Generator<Uint8Array> {
      for (let megabytes = 0; megabytes < 300; megabytes += 1) {
        if (megabytes % 30 === 29) largest = Math.max(largest, inUse());
        yield part;
      }
      yield Buffer.from('\nnext');
    }
    const before = inUse();
    expect(await linesOf(endless())).to.deep.equal([null, 'next']);
    expect(largest - before).to.be.lessThan(50 * 1024 * 1024);
    expect(LINE_CHARACTERS_MAX).to.equal(8 * 1024 * 1024);
  });
});
