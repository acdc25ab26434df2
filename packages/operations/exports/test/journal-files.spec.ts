import { DAY_MS } from '@paper/contracts/units';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom, listMarket, startEpoch, StoredExchange } from '@paper/testkit';
import { expect } from 'chai';
import { ExportRefused, exportJournalFiles } from '../src/index.ts';
import type { JournalManifest } from '../src/index.ts';

const VERIFIER = path.resolve(import.meta.dirname, '../../../../scripts/verify-journal.mjs');
/** Markets are listed on each of these days before and after the turn of the year. */
const DAYS = 20;
const NEW_YEAR = Date.UTC(2026, 0, 1);

describe('the journal as files', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'journal-files-'));
  const exchange = new StoredExchange();
  let all: JournalManifest;

  const write = (out: string, fromMs: number | null = null, toMs: number | null = null): Promise<JournalManifest> =>
    exportJournalFiles({
      journal: exchange.journal,
      shard: 'main',
      out: path.join(folder, out),
      fromMs,
      toMs,
      signal: new AbortController().signal,
    });
  const verify = (...args: readonly string[]): { readonly code: number | null; readonly said: string } => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [VERIFIER, ...args], { encoding: 'utf8' });
    return { code: status, said: `${stdout}${stderr}` };
  };
  const headText = ({ hash, seq }: { readonly hash: string; readonly seq: number }): string => `${seq}:${hash}`;

  before(async () => {
    const random = createRandom(19);
    const submit = async (command: Parameters<StoredExchange['submit']>[0], at: number): Promise<void> => {
      const id = random.uuid(at);
      const { kind } = await exchange.submit({ ...command, at, causationId: id, correlationId: id, id });
      expect(kind).to.equal('accepted');
    };
    const firstMs = NEW_YEAR - DAYS * DAY_MS;
    await submit(startEpoch(), firstMs);
    for (let day = 0; day < 2 * DAYS; day += 1) {
      await submit(listMarket(`market-${day}`, { closesAt: NEW_YEAR * 2 }), firstMs + day * DAY_MS);
    }
    all = await write('all');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has a file for each year, with its head, size and SHA-256', () => {
    expect(all.files.map(({ file }) => file)).to.deep.equal(['journal-2025.ndjson', 'journal-2026.ndjson']);
    const [former, latter] = all.files;
    expect(former?.after.seq).to.equal(0);
    expect(latter?.after).to.deep.equal(former?.through);
    expect(latter?.through).to.deep.equal(exchange.head);
    for (const { bytes, events, file, sha256 } of all.files) {
      const content = readFileSync(path.join(folder, 'all', file));
      expect(content.length).to.equal(bytes);
      expect(content.toString().trimEnd().split('\n')).to.have.length(events);
      expect(createHash('sha256').update(content).digest('hex')).to.equal(sha256);
    }
    expect(readdirSync(path.join(folder, 'all'))).to.have.length(3);
  });

  it('is accepted by the verifier: each file after its head, and all of them in their order', () => {
    const files = all.files.map(({ file }) => path.join(folder, 'all', file));
    const [former, latter] = all.files;
    if (former === undefined || latter === undefined) throw new Error('there are no two files');
    expect(verify(files[0] ?? '')).to.deep.equal({
      code: 0,
      said: `good: ${former.events} events, up to ${headText(former.through)}\n`,
    });
    const alone = verify(files[1] ?? '', '--after', headText(latter.after));
    expect(alone).to.deep.include({ code: 0 });
    const both = verify(...files, '--receipt', headText(former.through));
    expect(both.said).to.include(`good: ${former.events + latter.events} events, up to ${headText(exchange.head)}`);
  });

  it('is refused where a file was changed, is missing, or comes in another order', () => {
    const [former = '', latter = ''] = all.files.map(({ file }) => path.join(folder, 'all', file));
    expect(verify(latter).said).to.match(/^at fault: line 1: sequence \d+ stands where 1 must be/);
    expect(verify(latter, former)).to.deep.include({ code: 1 });
    const changed = path.join(folder, 'changed.ndjson');
    writeFileSync(changed, readFileSync(latter, 'utf8').replace('market-35', 'market-36'));
    expect(verify(former, changed).said).to.match(/^at fault: .*the texts give/);
    expect(verify(former, 'http://127.0.0.1:1')).to.deep.include({ code: 2 });
  });

  it('takes a part by time, which the verifier accepts after its head', async () => {
    const [part] = (await write('part', NEW_YEAR - 5 * DAY_MS, NEW_YEAR - DAY_MS)).files;
    expect(part).to.include({ file: 'journal-2025.ndjson', events: 4 });
    if (part === undefined) return;
    const file = path.join(folder, 'part', part.file);
    expect(verify(file, '--after', headText(part.after))).to.deep.include({ code: 0 });
    expect(verify(file)).to.deep.include({ code: 1 });
  });

  it('leaves nothing behind where there are no events in that time', async () => {
    let refused: unknown;
    await write('none', NEW_YEAR + 1_000 * DAY_MS).catch((error: unknown) => (refused = error));
    expect(refused).to.be.instanceOf(ExportRefused);
    expect(existsSync(path.join(folder, 'none'))).to.equal(false);
  });
});
