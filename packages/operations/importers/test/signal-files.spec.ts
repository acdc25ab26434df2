import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { endpoints } from '@paper/contracts';
import { planImport } from '../src/forecastbench.ts';
import { planQuestionSignals } from '../src/forecastbench-signals.ts';
import { planSignalLines } from '../src/signal-lines.ts';

const marketQuestion = (more: object = {}): object => ({
  id: 'abc',
  source: 'manifold',
  question: 'Will it rain in Oslo?',
  market_info_close_datetime: '2027-01-02T23:59:00+00:00',
  url: 'https://manifold.markets/x/rain',
  freeze_datetime: '2026-05-28T00:00:00+00:00',
  freeze_datetime_value: '0.38',
  freeze_datetime_value_explanation: 'The market value.',
  ...more,
});
const indicator = (more: object = {}): object =>
  marketQuestion({
    id: 'DBAA',
    source: 'fred',
    question: 'Will it have increased?',
    market_info_close_datetime: 'N/A',
    freeze_datetime_value: '-6.06',
    freeze_datetime_value_explanation: 'The bond yield.',
    ...more,
  });
const plan = (...questions: object[]) => planQuestionSignals(JSON.stringify({ questions }));
const skips = (...questions: object[]) => Object.fromEntries(plan(...questions).skipped);

describe('the signals of a question set', () => {
  it("a market's value is fair for its market, an indicator's a fact about the world", () => {
    const { commands, adjusted, skipped, faults } = plan(marketQuestion(), indicator());
    expect(commands).to.deep.equal([
      {
        op: 'record-signal',
        externalId: 'abc@2026-05-28',
        source: 'manifold',
        headline: '0.38 – The market value. Will it rain in Oslo?',
        citationUrl: 'https://manifold.markets/x/rain',
        publishedAt: '2026-05-28T00:00:00.000Z',
        marketId: 'manifold:abc',
        fairProb: 0.38,
      },
      {
        op: 'record-signal',
        externalId: 'DBAA@2026-05-28',
        source: 'fred',
        headline: '-6.06 – The bond yield.',
        citationUrl: 'https://manifold.markets/x/rain',
        publishedAt: '2026-05-28T00:00:00.000Z',
        factValue: -6.06,
      },
    ]);
    expect([adjusted, skipped.size, faults.length]).to.deep.equal([0, 0, 0]);
  });

  it('a value that is no number is in the headline only', () => {
    for (const value of ['No', '400m freestyle', 'Infinity', '1e400']) {
      const [command] = plan(indicator({ freeze_datetime_value: value })).commands;
      expect(command).to.include({ headline: `${value} – The bond yield.` });
      expect(command).not.to.have.property('factValue');
    }
  });

  it('a value may be a number, and the ends of a probability are one', () => {
    const values = [0, 1, '0.0', '1'].map(
      (value) => plan(marketQuestion({ freeze_datetime_value: value })).commands[0],
    );
    expect(values.map((command) => command?.fairProb)).to.deep.equal([0, 1, 0, 1]);
  });

  it('the same question at a later freeze is another signal', () => {
    const { commands } = plan(marketQuestion(), marketQuestion({ freeze_datetime: '2026-06-28T00:00:00+00:00' }));
    expect(commands.map(({ externalId }) => externalId)).to.deep.equal(['abc@2026-05-28', 'abc@2026-06-28']);
  });

  it('skips what gives no cited signal, with each reason', () => {
    expect(
      skips(
        marketQuestion({ id: ['a', 'b'] }),
        marketQuestion({ source: 'N/A' }),
        marketQuestion({ id: null }),
        marketQuestion({ freeze_datetime: 'N/A' }),
        indicator({ freeze_datetime_value: 'N/A' }),
        marketQuestion({ url: '' }),
        marketQuestion({ freeze_datetime_value: '1.01' }),
        marketQuestion({ freeze_datetime_value: '-0.2' }),
        marketQuestion({ freeze_datetime_value: 'yes' }),
        marketQuestion(),
        marketQuestion(),
        indicator({ question: 'N/A', freeze_datetime_value_explanation: 'N/A' }),
      ),
    ).to.deep.equal({
      'combined question': 1,
      'no source': 1,
      'no id': 1,
      'no freeze date': 1,
      'no value': 1,
      'no citation': 1,
      "a market's value outside 0 to 1": 3,
      'given twice': 1,
      'no question': 1,
    });
    expect(Object.keys(skips(marketQuestion({ url: 'ftp://x' })))[0]).to.match(/^validation failure: citationUrl: /);
  });

  it('shows no float noise in a headline: 3.8200000000000003 was shown', () => {
    const headline = (value: string) =>
      plan(marketQuestion({ source: 'fred', freeze_datetime_value: value })).commands[0]?.headline.split(' – ')[0];
    const rows = [
      ['3.8200000000000003', '3.82'],
      ['0.251894540821413', '0.2519'],
      ['0.00001234567', '0.00001235'],
      ['123456.7891', '123456.7891'],
      ['-2.100000000000001', '-2.1'],
      ['up', 'up'],
    ] as const;
    for (const [value, shown] of rows) expect(headline(value)).to.equal(shown);
  });

  it('says of a file of ForecastBench which format or command takes it', () => {
    expect(() => planSignalLines('{"questions": []}')).to.throw('use --format forecastbench');
    expect(() => planSignalLines('{"resolutions": []}')).to.throw('use npm run resolve-markets');
    expect(() => planQuestionSignals('{"resolutions": []}')).to.throw('use npm run resolve-markets');
  });

  it('cuts a headline that is too long, and counts it', () => {
    const { commands, adjusted, adjustments } = plan(marketQuestion({ question: '🚀'.repeat(400) }));
    expect(Array.from(commands[0]?.headline ?? '')).to.have.length(300);
    expect([adjusted, ...adjustments.keys()]).to.deep.equal([1, 'headline longer than 300 characters']);
  });

  it('the real set gives 250 of markets that its import lists, and 250 of indicators, 26 of them in words', function () {
    const file = path.resolve(import.meta.dirname, '../../../../../shared/data/forecastbench/2026-06-07-llm.json');
    if (!existsSync(file)) this.skip();
    const text = readFileSync(file, 'utf8');
    const { commands, adjusted, skipped, faults } = planQuestionSignals(text);
    expect([commands.length, adjusted, skipped.size, faults.length]).to.deep.equal([500, 0, 0, 0]);
    const listed = new Set(planImport(text, 0).commands.map(({ id }) => id));
    const ofMarkets = commands.filter(({ marketId }) => marketId !== undefined);
    expect(ofMarkets).to.have.length(250);
    expect(ofMarkets.every(({ marketId, fairProb }) => listed.has(marketId) && fairProb !== undefined)).to.equal(true);
    const ofIndicators = commands.filter(({ marketId }) => marketId === undefined);
    expect(ofIndicators.filter(({ factValue }) => factValue === undefined)).to.have.length(26);
    expect(endpoints.runOperatorBatch.body.safeParse({ commands }).success).to.equal(true);
  });
});

describe('signals in JSON Lines', () => {
  const line = (more: object = {}): string =>
    JSON.stringify({
      externalId: 'n-1',
      source: 'newsroom',
      headline: 'Acme ships',
      citationUrl: 'https://acme.example/1',
      publishedAt: '2026-11-21T07:00:00Z',
      ...more,
    });

  it('one a line, however lines end, empty ones aside', () => {
    const text = `\ufeff${line()}\r\n\n  \n${line({ externalId: 'n-2', marketId: 'acme', fairProb: 0.5 })}\n`;
    const { commands, skipped, faults } = planSignalLines(text);
    expect(commands.map((command) => [command.op, command.externalId, command.fairProb])).to.deep.equal([
      ['record-signal', 'n-1', undefined],
      ['record-signal', 'n-2', 0.5],
    ]);
    expect([skipped.size, faults.length]).to.deep.equal([0, 0]);
    expect(planSignalLines('').commands).to.deep.equal([]);
  });

  it('reports an invalid line by its number, and keeps the others', () => {
    const { commands, faults } = planSignalLines(
      ['{', '[]', 'null', line({ fairProb: 2 }), line({ also: 1 }), line(), '{"source":"x"}'].join('\n'),
    );
    expect(commands).to.have.length(1);
    expect(faults).to.deep.equal([
      'line 1: is not JSON',
      'line 2: is not a JSON object',
      'line 3: is not a JSON object',
      'line 4: validation failure: fairProb: must be at most 1',
      'line 5: validation failure: also: is not a field here; remove it',
      'line 7: validation failure: externalId: is required: text',
    ]);
  });

  it('replaces characters that the service refuses, and counts their fields', () => {
    const { adjusted, adjustments, commands, faults } = planSignalLines(
      [line({ headline: 'Acme\u0007\nships', event: '\u2066Ship' }), line({ citationUrl: 'https://a@b' })].join('\n'),
    );
    expect(commands[0]).to.include({ headline: 'Acme\ufffd ships', event: '\ufffdShip' });
    expect(adjusted).to.equal(1);
    expect(Object.fromEntries(adjustments)).to.deep.equal({
      'headline with characters that are refused': 1,
      'event with characters that are refused': 1,
    });
    expect(faults).to.have.length(1);
  });

  it('the second of a name is skipped; the same id of another source is another signal', () => {
    const { commands, skipped } = planSignalLines([line(), line({ headline: 'x' }), line({ source: 'b' })].join('\n'));
    expect(commands.map(({ source, headline }) => `${source}: ${headline}`)).to.deep.equal([
      'newsroom: Acme ships',
      'b: Acme ships',
    ]);
    expect(Object.fromEntries(skipped)).to.deep.equal({ 'given twice': 1 });
  });
});
