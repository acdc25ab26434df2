import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { endpoints } from '@paper/contracts';
import { planImport, planResolve } from '../src/forecastbench.ts';
import { listedAlready } from '../src/listed-already.ts';
import { readableTicker } from '../src/readable-ticker.ts';
import { pieces } from '../src/operator-client.ts';

const question = (more: object = {}): object => ({
  id: 'abc',
  source: 'manifold',
  question: 'Will it rain in Oslo?',
  background: 'Rain is common there.',
  market_info_close_datetime: '2027-01-02T23:59:00+00:00',
  market_info_resolution_criteria: 'N/A',
  resolution_criteria: 'As the venue resolves.',
  url: 'https://manifold.markets/x/rain',
  freeze_datetime_value: '0.38',
  resolution_dates: 'N/A',
  ...more,
});

const NOW_MS = Date.parse('2026-06-08');
const plan = (...questions: object[]) => planImport(JSON.stringify({ questions }), NOW_MS);
const first = (more: object) => plan(question(more)).commands[0];
const skips = (...questions: object[]) => Object.fromEntries(plan(...questions).skipped);

describe('importing a question set', () => {
  it('lists a market question as it stands', () => {
    const { commands, adjusted, skipped } = plan(question());
    expect(commands).to.deep.equal([
      {
        op: 'list-market',
        id: 'manifold:abc',
        title: 'Will it rain in Oslo?',
        ticker: 'MAN-RAIN-OSLO-WV1E',
        companySlug: 'manifold',
        sector: 'forecast',
        category: 'manifold',
        settlementSource: 'manifold.markets',
        prior: 0.38,
        closesAt: '2027-01-02T23:59:00.000Z',
        tickSize: 0.01,
        companyImpact: 0,
        drivers: [],
        description: 'Rain is common there.\n\nResolution: As the venue resolves.',
        citationUrl: 'https://manifold.markets/x/rain',
        status: 'active',
      },
    ]);
    expect([adjusted, skipped.size]).to.deep.equal([0, 0]);
  });

  it('rounds a prior half up to four decimals, then brings it within a price, and counts it once', () => {
    const rows = [
      ['0.251894540821413', 0.2519],
      ['0.25185', 0.2519],
      ['0.25184999', 0.2518],
      ['0.0000499', 0.01],
      ['0.001', 0.01],
      ['0', 0.01],
      ['1', 0.99],
      ['0.98999', 0.99],
    ] as const;
    for (const [value, prior] of rows) {
      const planned = plan(question({ freeze_datetime_value: value }));
      expect(planned.commands[0]?.prior, value).to.equal(prior);
      expect(planned.adjusted, value).to.equal(1);
    }
  });

  it('rounding off the noise of binary arithmetic is no adjustment', () => {
    const planned = plan(question({ freeze_datetime_value: '0.5700000000000001' }));
    expect([planned.commands[0]?.prior, planned.adjusted]).to.deep.equal([0.57, 0]);
  });

  it('skips what is no binary market question, with each reason', () => {
    expect(
      skips(
        question({ id: ['a', 'b'] }),
        question({ source: 'fred', market_info_close_datetime: 'N/A' }),
        question({ source: 'fred' }),
        question({ source: 'elsewhere', market_info_close_datetime: 'N/A' }),
        question({ market_info_close_datetime: 'N/A' }),
        question({ freeze_datetime_value: 'N/A' }),
        question({ freeze_datetime_value: '6.06' }),
        question({ question: ' ' }),
        question(),
        question({ question: 'The same id again?' }),
        { source: 'manifold' },
      ),
    ).to.deep.equal({
      'combined question': 1,
      'not a binary market question': 3,
      'no closing time': 1,
      'no market price': 2,
      'no question': 1,
      'given twice': 1,
      'no id': 1,
    });
  });

  it('takes a question of an unknown venue, where it has a closing time', () => {
    expect(first({ source: 'newvenue' })).to.include({ id: 'newvenue:abc', companySlug: 'newvenue' });
  });

  it('skips an id that no path can hold, and says why', () => {
    expect(Object.keys(skips(question({ id: 'a b' })))[0]).to.match(/^validation failure: id: /);
  });

  it('cuts what is too long by characters, and counts it', () => {
    const planned = plan(question({ question: '🚀'.repeat(301) }));
    expect(Array.from(planned.commands[0]?.title ?? '')).to.have.length(300);
    expect(planned.adjustments).to.deep.equal(new Map([['title longer than 300 characters', 1]]));
  });

  it('replaces characters that the service refuses, and counts their fields', () => {
    const planned = plan(
      question({
        question: 'Will\u001b[2J\nit\u202e?',
        background: 'a\u0000b\ud800c\r\nd\te',
        resolution_criteria: 'N/A',
        url: 'https://manifold.markets@evil/abc',
      }),
    );
    expect(planned.commands[0]).to.include({ title: 'Will\ufffd[2J it\ufffd?', description: 'a\ufffdb\ufffdc\nd\te' });
    expect(planned.commands[0]).not.to.have.property('citationUrl');
    expect(planned.adjusted).to.equal(1);
    expect(planned.adjustments).to.deep.equal(
      new Map([
        ['citation that is refused', 1],
        ['title with characters that are refused', 1],
        ['description with characters that are refused', 1],
      ]),
    );
  });

  it('lists a market closed that had closed before: 64 of 298 were tradable after their end', () => {
    const past = question({ market_info_close_datetime: '2026-06-07T00:00:00Z' });
    expect(plan(past, question({ id: 'later' })).commands.map(({ status }) => status)).to.deep.equal([
      'closed',
      'active',
    ]);
    // The exchange refuses a closing time that is now, too.
    const ends = (ms: number) => first({ market_info_close_datetime: new Date(NOW_MS + ms).toISOString() })?.status;
    expect([ends(0), ends(1)]).to.deep.equal(['closed', 'active']);
    expect(plan(past, question({ id: 'later' })).closed).to.equal(1);
  });

  it("takes the sector from the question's own category where there is one", () => {
    expect(first({ category: 'World Politics & War' })?.sector).to.equal('world-politics-war');
    expect(first({ category: 'N/A' })?.sector).to.equal('forecast');
  });

  it('refuses a file of another kind', () => {
    const refusal = (text: string) => (): unknown => planImport(text, NOW_MS);
    expect(refusal('{"resolutions": []}')).to.throw(
      'this is a resolution set of ForecastBench, not a question set: use npm run resolve-markets -- --format forecastbench FILE',
    );
    expect(refusal('{}')).to.throw('this is not a question set of ForecastBench: it has no list "questions"');
    expect(refusal('')).to.throw('this is empty');
    expect(refusal('{')).to.throw('this is not JSON');
    expect(() => planResolve('{"questions": []}', [])).to.throw('this is a question set');
  });
});

describe('resolving by a resolution set', () => {
  const market = (id: string, more: object = {}) => ({
    id,
    category: id.split(':')[0] ?? '',
    companySlug: id.split(':')[0] ?? '',
    citationUrl: null,
    ...more,
  });
  const row = (id: unknown, resolved: boolean, to: number | null, more: object = {}) => ({
    id,
    source: 'infer',
    resolution_date: '2026-07-01',
    resolved,
    resolved_to: to,
    ...more,
  });
  const resolve = (rows: object[], ids: string[]) =>
    planResolve(
      JSON.stringify({ resolutions: rows }),
      ids.map((id) => market(id)),
    );

  it('1 is yes, 0 is no', () => {
    const { commands, ...rest } = resolve([row('1', true, 1), row('2', true, 0)], ['infer:1', 'infer:2']);
    expect(commands).to.deep.equal([
      { op: 'resolve-market', id: 'infer:1', outcome: 'yes', headline: 'Resolved YES on 2026-07-01', source: 'infer' },
      { op: 'resolve-market', id: 'infer:2', outcome: 'no', headline: 'Resolved NO on 2026-07-01', source: 'infer' },
    ]);
    expect(rest).to.deep.equal({ marketsSkipped: new Map(), notInFile: 0, rows: 2, rowsSkipped: new Map() });
  });

  it('skips every other case, with each reason', () => {
    const { commands, marketsSkipped, notInFile, rows, rowsSkipped } = resolve(
      [
        row('1', false, 0.4),
        row('2', true, 0.4),
        row('3', true, 1),
        row('3', true, 0),
        row(['5', '6'], true, 1),
        row('7', true, 1),
        row('8', true, null),
      ],
      ['infer:1', 'infer:2', 'infer:3', 'infer:4', 'infer:8'],
    );
    expect(commands).to.deep.equal([]);
    expect(Object.fromEntries(marketsSkipped)).to.deep.equal({
      'not resolved': 1,
      'resolved to neither 0 nor 1': 2,
      'resolved in two ways': 1,
    });
    expect(Object.fromEntries(rowsSkipped)).to.deep.equal({ 'combined question': 1, 'no such market is listed': 1 });
    expect([rows, notInFile]).to.deep.equal([7, 1]);
  });

  it('a market asked about on several dates is resolved by those that are', () => {
    const { commands } = resolve([row('1', false, 0.2), row('1', true, 1), row('1', true, 1)], ['infer:1']);
    expect(commands.map((command) => command.outcome)).to.deep.equal(['yes']);
  });

  it('leaves markets alone that no import listed', () => {
    const text = JSON.stringify({ resolutions: [row('1', true, 1)] });
    const { commands, notInFile, rowsSkipped } = planResolve(text, [
      market('infer:1', { category: 'technology' }),
      market('acme'),
    ]);
    expect([commands, notInFile]).to.deep.equal([[], 0]);
    expect(Object.fromEntries(rowsSkipped)).to.deep.equal({ 'no such market is listed': 1 });
  });
});

describe('cutting commands into batches', () => {
  const commands = Array.from({ length: 7 }, (_, i) => ({ op: 'pause-market', id: `m${i}` }) as const);
  it('keeps the order and the number of commands', () => {
    expect(pieces(commands, 3).map((piece) => piece.length)).to.deep.equal([3, 3, 1]);
    expect(pieces(commands, 3).flat()).to.deep.equal(commands);
    expect(pieces([])).to.deep.equal([]);
  });
  it('keeps the number of bytes', () => {
    for (const bytes of [60, 100, 150, 1000]) {
      const cut = pieces(commands, 500, bytes);
      expect(cut.flat()).to.deep.equal(commands);
      for (const piece of cut) expect(JSON.stringify({ commands: piece }).length).to.be.at.most(bytes);
    }
  });
});

describe('the real set', () => {
  const folder = path.resolve(import.meta.dirname, '../../../../../shared/data/forecastbench');
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

  before(function () {
    if (!existsSync(folder)) this.skip();
  });

  it('has 250 markets, 89 of them adjusted, 182 past their closing time', () => {
    const { commands, adjusted, adjustments, skipped } = planImport(read('2026-06-07-llm.json'), NOW_MS);
    expect(commands).to.have.length(250);
    expect(adjusted).to.equal(89);
    expect(Object.fromEntries(adjustments)).to.deep.equal({
      'prior finer than 0.0001': 73,
      'prior outside 0.01 to 0.99': 3,
      'description with characters that are refused': 13,
    });
    expect(Object.fromEntries(skipped)).to.deep.equal({ 'not a binary market question': 250 });
    expect(commands.filter((command) => command.closesAt < '2026-11-21')).to.have.length(182);
    expect(new Set(commands.map((command) => command.ticker)).size).to.equal(250);
    expect(endpoints.runOperatorBatch.body.safeParse({ commands }).success).to.equal(true);
  });

  it('resolves 105 of them, 107 are not resolved, 38 have no row', () => {
    const listed = planImport(read('2026-06-07-llm.json'), NOW_MS).commands.map((command) => ({
      category: command.category,
      id: command.id ?? '',
      companySlug: command.companySlug,
      citationUrl: command.citationUrl ?? null,
    }));
    const plan = planResolve(read('2026-06-07_resolution_set.json'), listed);
    expect(plan.commands).to.have.length(105);
    expect(Object.fromEntries(plan.marketsSkipped)).to.deep.equal({ 'not resolved': 107 });
    expect(Object.fromEntries(plan.rowsSkipped)).to.deep.equal({ 'no such market is listed': 480 });
    expect([plan.rows, plan.notInFile]).to.deep.equal([692, 38]);
  });
});

describe('the ticker of an imported market', () => {
  it('can be read, and is the same in every run', () => {
    const rows = [
      ['manifold', 'abc', 'Will Putin visit the USA in 2026', 'MAN-PUTIN-VISIT-'],
      ['polymarket', 'abc', 'Will it be?', 'POL-'],
      ['infer', 'abc', 'Größte Überraschung', 'INF-GROSSTE-'],
      ['metaculus', 'abc', 'Internationalisation again', 'MET-INTERNATIO'],
      ['manifold', 'abc', '東京は？', 'MAN-'],
    ] as const;
    for (const [source, id, asked, begins] of rows) {
      const ticker = readableTicker(source, id, asked);
      expect(ticker).to.match(/^[A-Z0-9-]{8,20}$/);
      expect(ticker.startsWith(begins), `${ticker} of ${asked}`).to.equal(true);
      expect(readableTicker(source, id, asked)).to.equal(ticker);
    }
  });
  it('distinguishes two questions with the same words', () => {
    expect(readableTicker('manifold', 'a', 'Rain?')).not.to.equal(readableTicker('manifold', 'b', 'Rain?'));
  });
});

describe('markets that an import finds listed', () => {
  const [command] = plan(question()).commands;
  const listed = (more: object = {}) =>
    new Map([
      [
        'manifold:abc',
        { ...command!, citationUrl: command?.citationUrl ?? null, description: command?.description ?? null, ...more },
      ],
    ]);

  it('are the same with the same text, whatever their status is by now', () => {
    expect(listedAlready([command!], listed())).to.deep.equal({ otherText: 0, otherwise: new Map(), same: 1 });
  });
  it('listed by another version of the import are no conflict', () => {
    const { otherText, otherwise, same } = listedAlready([command!], listed({ ticker: 'MANBA7816' }));
    expect([same, otherText]).to.deep.equal([1, 0]);
    expect([...otherwise.keys()][0]).to.include('by another version');
  });
  it('listed with characters that are refused by now are the same', () => {
    const before = listed({ description: command!.description?.replaceAll('\n', '\r\n') ?? null });
    expect(before.get('manifold:abc')?.description).to.contain('\r\n');
    expect(listedAlready([command!], before)).to.include({ otherText: 0, same: 1 });
  });
  it('with another text are kept', () => {
    expect(listedAlready([command!], listed({ title: 'amended' }))).to.include({ otherText: 1, same: 0 });
  });
});
