import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { longTest } from '@paper/testkit';
import { builtProgram, describeClientOfExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';

const root = path.resolve(import.meta.dirname, '../../..');
const questions = path.resolve(root, '../shared/data/forecastbench/2026-06-07-llm.json');
const run = promisify(execFile);

interface Recent {
  readonly signals: readonly { readonly source: string; readonly headline: string; readonly marketId: string | null }[];
  readonly count: number;
}

/** `npm run import-signals`, against the real service. */
describeClientOfExchange('signals are imported', function (start) {
  this.timeout(120_000);
  let service: RunningExchange;
  let key: string;

  before(async () => {
    service = await start();
    const asOperator = operatorClient(await createCheckedClient(service.baseUrl), service.operatorToken);
    // A market of the demo, which the example in docs/operate/signals.md uses.
    await asOperator.list('apple-services-record-2027');
    ({ key } = await asOperator.open('Reader'));
  });
  after(async () => {
    await service.stop();
  });

  /** The script's output and exit code. */
  const script = async (
    name: string,
    format: string,
    file: string,
    ...more: string[]
  ): Promise<[stdout: string, code: number]> => {
    const program = await builtProgram(`packages/operations/operator-cli/src/programs/${name}`);
    const args = [...program.args, '--format', format, path.basename(file), ...more];
    // Run in the file's folder, so that the output has the name as in the example.
    const options = { cwd: path.dirname(file), env: { ...process.env, DATA_DIR: service.dataDir } };
    try {
      return [(await run(process.execPath, args, options)).stdout, 0];
    } catch (error) {
      const { stdout, code } = error as { stdout: string; code: number };
      return [stdout, code];
    }
  };
  const get = async <T>(target: string): Promise<T> => {
    const answer = await fetch(`${service.baseUrl}${target}`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).to.equal(200);
    return (await answer.json()) as T;
  };
  const write = (name: string, text: string): string => {
    const file = path.join(service.dataDir, name);
    writeFileSync(file, text);
    return file;
  };

  it('the example of docs/operate/signals.md does as printed there, and nothing a second time', async () => {
    const page = readFileSync(path.join(root, 'docs/operate/signals.md'), 'utf8');
    const block = (kind: string): string => new RegExp(`\`\`\`${kind}\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';
    const file = write('signals.jsonl', block('jsonl'));
    const printed = block('text').replaceAll('http://127.0.0.1:4000', service.baseUrl);
    expect(await script('import-signals', 'jsonl', file)).to.deep.equal([printed, 0]);
    const [again, code] = await script('import-signals', 'jsonl', file);
    expect(again)
      .to.match(/recorded +0\n/)
      .and.match(/unchanged +3 /)
      .and.match(/Nothing changed\.\n$/);
    expect(code).to.equal(0);
    const { signals } = await get<Recent>('/api/signals/recent');
    expect(signals.map(({ source, marketId }) => [source, marketId])).to.deep.equal([
      ['Federal Reserve', null],
      ['desk', 'apple-services-record-2027'],
      ['Apple newsroom', 'apple-services-record-2027'],
    ]);
  });

  it('records what it can of a bad file, and ends with 1', async () => {
    const good = { source: 'w', headline: 'h', citationUrl: 'https://x.example/', publishedAt: '2026-01-01T00:00:00Z' };
    const lines = [{ ...good, externalId: '1' }, { ...good, externalId: '2', marketId: 'none' }, { externalId: '3' }];
    const file = write('bad.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    const [printed, code] = await script('import-signals', 'jsonl', file);
    expect(code).to.equal(1);
    expect(printed)
      .to.match(/recorded +1\n/)
      .and.match(/skipped +1\n +1 {2}market not listed\n/)
      .and.match(/failed +1\n +1 {2}not of the format\n/);
    const [json, again] = await script('import-signals', 'jsonl', file, '--json');
    expect([JSON.parse(json), again]).to.deep.equal([
      {
        file: 'bad.jsonl',
        service: service.baseUrl,
        ...{ recorded: 0, unchanged: 1, adjusted: 0, skipped: 1, failed: 1 },
        reasons: { adjusted: {}, skipped: { 'market not listed': 1 }, failed: { 'not of the format': 1 } },
        failures: [{ item: 'bad.jsonl', reason: 'line 3: validation failure: source: is required: text' }],
      },
      1,
    ]);
    expect((await script('import-signals', 'csv', file))[1]).to.equal(2);
  });

  it('the real set: 500 signals, 250 of them skipped while its markets are not listed', async function () {
    longTest(this);
    if (!existsSync(questions)) this.skip();
    const [first] = await script('import-signals', 'forecastbench', questions);
    expect(first)
      .to.match(/recorded +250\n/)
      .and.match(/skipped +250\n +250 {2}market not listed\n/)
      .and.match(/failed +0\n/);
    expect((await script('import-markets', 'forecastbench', questions))[1]).to.equal(0);
    const [second] = await script('import-signals', 'forecastbench', questions);
    expect(second)
      .to.match(/recorded +250\n/)
      .and.match(/unchanged +250 /)
      .and.match(/skipped +0\n/);
    const [third] = await script('import-signals', 'forecastbench', questions);
    expect(third)
      .to.match(/unchanged +500 /)
      .and.match(/Nothing changed\.\n$/);
    const { count, signals } = await get<Recent>('/api/signals/recent?limit=500');
    expect(count).to.equal(500);
    expect(signals.filter(({ marketId }) => marketId !== null)).to.have.length(250);
  });
});
