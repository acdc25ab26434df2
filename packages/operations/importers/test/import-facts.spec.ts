import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BatchResult } from 'paper-trading-client';
import { expect } from 'chai';
import { importMarkets, importSignals, resolveMarkets } from '../src/index.ts';
import type { ImportReport } from '../src/index.ts';

const refused = (code: string, error: string): BatchResult => ({ ok: false, status: 400, code, error }) as BatchResult;
const taken = (changed: boolean): BatchResult => ({ ok: true, changed }) as BatchResult;

const market = (id: string, more: object = {}): object => ({
  id,
  source: 'infer',
  question: `Will ${id} be?`,
  market_info_close_datetime: '2027-01-02T23:59:00+00:00',
  url: 'https://infer.example/x',
  freeze_datetime: '2026-05-28T00:00:00+00:00',
  freeze_datetime_value: '0.38',
  ...more,
});
const row = (id: string, resolved: boolean): object => ({
  source: 'infer',
  id,
  resolved,
  resolved_to: 1,
  resolution_date: '2026-06-07',
});

/** The facts hold what the text prints: each count, and each reason with its count. */
describe('the facts of an import', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-import-'));
  after(() => rmSync(folder, { recursive: true }));

  async function report(
    text: string,
    results: readonly BatchResult[],
    work: (source: Parameters<typeof importMarkets>[0]) => Promise<ImportReport>,
  ) {
    const file = path.join(folder, 'file');
    writeFileSync(file, text);
    const failures: (readonly [item: string, reason: string])[] = [];
    const source = {
      baseUrl: 'http://service',
      file,
      onFault: (item: string, reason: string) => void failures.push([item.replace(file, 'FILE'), reason]),
      run: () => Promise.resolve(results),
    };
    const { facts, failed, text: printed } = await work(source);
    for (const [reason, count] of reasonsIn(facts)) {
      expect(printed).to.match(new RegExp(` ${count} {2}${reason}$`, 'm'));
    }
    return { facts, failed, failures };
  }

  it('of markets: what was listed, skipped and failed, with the reasons', async () => {
    const questions = [market('a'), market('b'), market('c', { freeze_datetime_value: '0.123456' }), market('c'), {}];
    const results = [taken(true), refused('unavailable', 'The disk is full'), taken(true)];
    expect(
      await report(JSON.stringify({ questions }), results, (source) =>
        importMarkets(source, () => Promise.resolve([]), Date.parse('2026-11-21')),
      ),
    ).to.deep.equal({
      facts: {
        questions: 5,
        closed: 0,
        listed: 2,
        unchanged: 0,
        kept: 0,
        adjusted: 1,
        skipped: 2,
        failed: 1,
        reasons: {
          unchanged: {},
          adjusted: { 'prior finer than 0.0001': 1 },
          skipped: { 'given twice': 1, 'not a binary market question': 1 },
          failed: { 'The disk is full': 1 },
        },
      },
      failed: 1,
      failures: [['infer:b', 'The disk is full']],
    });
  });

  it('of signals: also the lines that are none', async () => {
    const line = (externalId: string): string =>
      JSON.stringify({
        ...{ externalId, source: 'w', headline: 'h' },
        ...{ citationUrl: 'https://x.example/', publishedAt: '2026-01-01T00:00:00Z' },
      });
    const results = [taken(true), taken(false), refused('market_not_found', 'x'), refused('bad', 'Too early')];
    const lines = [line('1'), line('2'), line('3'), line('4'), '{'].join('\n');
    expect(await report(lines, results, (source) => importSignals(source, 'jsonl'))).to.deep.equal({
      facts: {
        recorded: 1,
        unchanged: 1,
        adjusted: 0,
        skipped: 1,
        failed: 2,
        reasons: {
          adjusted: {},
          skipped: { 'market not listed': 1 },
          failed: { 'not of the format': 1, 'Too early': 1 },
        },
      },
      failed: 2,
      failures: [
        ['FILE', 'line 5: is not JSON'],
        ['w 4', 'Too early'],
      ],
    });
  });

  it('of resolutions: also the rows that belong to no market, and the markets without a row', async () => {
    const listed = ['a', 'b', 'c', 'd'].map((id) => ({
      ...{ id: `infer:${id}`, category: 'infer', companySlug: 'infer', citationUrl: null },
    }));
    const resolutions = [row('a', true), row('b', true), row('c', false), row('x', true)];
    const results = [taken(true), refused('market_already_resolved', 'x')];
    expect(
      await report(JSON.stringify({ resolutions }), results, (source) => resolveMarkets(source, listed)),
    ).to.deep.equal({
      facts: {
        resolved: 1,
        unchanged: 0,
        kept: 1,
        skipped: 1,
        failed: 0,
        reasons: { skipped: { 'not resolved': 1 }, failed: {} },
        rows: { total: 4, skipped: 1, reasons: { skipped: { 'no such market is listed': 1 } } },
        notInFile: 1,
      },
      failed: 0,
      failures: [],
    });
  });
});

/** Every reason in the facts, at any depth. */
function reasonsIn(facts: object): (readonly [reason: string, count: number])[] {
  return Object.entries(facts).flatMap(([name, value]: [string, object]): (readonly [string, number])[] => {
    if (name === 'reasons') return Object.values(value).flatMap((of: Record<string, number>) => Object.entries(of));
    return typeof value === 'object' ? reasonsIn(value) : [];
  });
}
