import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Unavailable } from '@paper/contracts';
import { TapeList } from '@paper/contracts/backtests';
import type { TapeListBody } from '@paper/contracts/backtests';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { Tapes } from '../../src/host/tapes.ts';

const TRADES = 'time,market,price,size,side\n2026-08-05T12:00:00Z,M,0.5,10,yes\n2026-08-05T12:00:01Z,M,0.52,4,no\n';

describe('the list of tapes', function () {
  this.timeout(120_000);
  let root: string;
  before(() => (root = mkdtempSync(path.join(tmpdir(), 'tapes-'))));
  after(() => rmSync(root, { recursive: true }));

  const folderOf = (name: string): { folder: string; cacheFile: string } => {
    const folder = path.join(root, name);
    mkdirSync(folder);
    return { folder, cacheFile: path.join(root, `${name}.json`) };
  };
  /** While tapes are read for the first time, the list is unavailable. */
  const listOf = async (tapes: Tapes): Promise<TapeListBody> => {
    let list: TapeListBody | null = null;
    await eventually('the tapes are read', async () => {
      list = await tapes.list().catch((error: unknown) => {
        if (error instanceof Unavailable) return null;
        throw error;
      });
      return list !== null;
    });
    return list as unknown as TapeListBody;
  };
  const idsOf = ({ tapes }: TapeListBody): readonly string[] => tapes.map(({ id }) => id);

  it('has the one of our own making, files and folders, and says which are no tapes', async () => {
    const { cacheFile, folder } = folderOf('several');
    writeFileSync(path.join(folder, 'trades.csv'), TRADES);
    mkdirSync(path.join(folder, 'window'));
    writeFileSync(path.join(folder, 'window', '1.csv'), TRADES);
    writeFileSync(
      path.join(folder, 'window', 'tape.json'),
      JSON.stringify({ markets: [{ id: 'M', title: 'In the window?', outcome: 'yes' }] }),
    );
    writeFileSync(path.join(folder, 'notes.txt'), 'nothing\n');
    writeFileSync(path.join(folder, '.hidden.csv'), TRADES);
    symlinkSync('/etc', path.join(folder, 'link'));
    const list = TapeList.parse(await listOf(new Tapes(folder, cacheFile)));
    expect(idsOf(list)).to.deep.equal(['made-news', 'trades.csv', 'window']);
    expect(list.tapes[2]?.markets[0]?.title).to.equal('In the window?');
    expect(JSON.stringify(list.tapes)).to.not.include('outcome');
    expect(list.refused.map(({ id }) => id)).to.deep.equal(['notes.txt']);
    expect(list.refused[0]?.why).to.include('none of its lines is of a known format');
  });

  it('reads a tape again where its files have changed, and no other', async () => {
    const { cacheFile, folder } = folderOf('changed');
    const [first, second] = ['a.csv', 'b.csv'].map((name) => path.join(folder, name)) as [string, string];
    for (const file of [first, second]) writeFileSync(file, TRADES);
    await listOf(new Tapes(folder, cacheFile));
    // What was stored is what a later start gives: it is marked here.
    writeFileSync(cacheFile, readFileSync(cacheFile, 'utf8').replaceAll('"events":', '"events":1000'));
    writeFileSync(second, `${TRADES}2026-08-05T12:00:02Z,M,0.53,1,yes\n`);
    const { tapes } = await listOf(new Tapes(folder, cacheFile));
    expect(tapes[1]?.events).to.be.above(1_000);
    expect(tapes[2]?.events).to.be.below(1_000);
  });

  it('reads a tape that comes while others are read, for who waits for it', async () => {
    const { cacheFile, folder } = folderOf('two');
    const tapes = new Tapes(folder, cacheFile);
    /** The tape; null if the whole wait was not enough, as on a slow machine. An earlier refusal is an error. */
    const find = async (id: string) => {
      const begunMs = performance.now();
      return tapes.find(id).catch((error: unknown) => {
        if (!(error instanceof Unavailable) || performance.now() - begunMs < 11_000) throw error;
        return null;
      });
    };
    const waiting = ['a.csv', 'b.csv'].map(async (id) => {
      writeFileSync(path.join(folder, id), TRADES);
      let read: unknown;
      await eventually(`${id} is read`, async () => (read = (await find(id))?.read) !== undefined);
      return Object.keys(read as object);
    });
    expect(await Promise.all(waiting)).to.deep.equal([['tape'], ['tape']]);
  });

  it('has made-news where there is no folder', async () => {
    const list = await listOf(new Tapes(path.join(root, 'none'), path.join(root, 'none.json')));
    expect(idsOf(list)).to.deep.equal(['made-news']);
  });

  it('finds a tape by its id alone', async () => {
    const { cacheFile, folder } = folderOf('found');
    writeFileSync(path.join(folder, 'trades.csv'), TRADES);
    const tapes = new Tapes(folder, cacheFile);
    await listOf(tapes);
    expect(await tapes.find('trades.csv')).to.deep.include({ place: path.join(folder, 'trades.csv') });
    for (const id of ['../found/trades.csv', 'none', '']) expect(await tapes.find(id)).to.equal(null);
  });
});
