import { expect } from 'chai';
import fc from 'fast-check';
import { endpoints, validationMessage } from '../src/index.ts';
import { BatchCommand, withoutRefused } from '../src/operator/index.ts';
import { samples } from './samples.ts';

/** The fields with texts of each command of an operator, by the command's endpoint. */
const FIELDS = {
  createMarket: ['title', 'ticker', 'companySlug', 'sector', 'category', 'settlementSource', 'description', 'drivers'],
  amendMarket: ['title', 'description', 'drivers'],
  resolveMarket: ['headline', 'source'],
  voidMarket: ['reason'],
  recordSignal: ['externalId', 'source', 'headline', 'event'],
} as const;
const OPS = {
  createMarket: { op: 'list-market' },
  amendMarket: { op: 'amend-market', id: 'm' },
  resolveMarket: { op: 'resolve-market', id: 'm' },
  voidMarket: { op: 'void-market', id: 'm' },
  recordSignal: { op: 'record-signal' },
} as const;
type Call = keyof typeof FIELDS;

/** The message with which this field of a command is refused, as a single call and in a batch; null where it is taken. */
function refusalOf(call: Call, field: string, text: string): string | null {
  const body = { ...(samples[call].body as object), [field]: field === 'drivers' ? ['a', text] : text };
  const single = endpoints[call].body.safeParse(body);
  const item = BatchCommand.safeParse({ ...body, ...OPS[call] });
  expect(item.success).to.equal(single.success);
  return single.error === undefined ? null : validationMessage(single.error);
}

/** Characters of each kind, with what the message calls them: written apart from the rule. */
const REFUSED: readonly (readonly [kind: string, ranges: readonly (readonly [from: number, to: number])[]])[] = [
  [
    'a control character',
    [
      [0x00, 0x1f],
      [0x7f, 0x9f],
    ],
  ],
  ['a lone surrogate', [[0xd800, 0xdfff]]],
  ['a line or paragraph separator', [[0x2028, 0x2029]]],
  [
    'a bidirectional control',
    [
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ],
  ],
  [
    'a zero-width character',
    [
      [0x180e, 0x180e],
      [0x200b, 0x200d],
      [0x2060, 0x2065],
      [0x206a, 0x206f],
      [0xfeff, 0xfeff],
    ],
  ],
  ['a tag character', [[0xe0000, 0xe007f]]],
];

const kindOf = (point: number): string | null =>
  REFUSED.find(([, ranges]) => ranges.some(([from, to]) => point >= from && point <= to))?.[0] ?? null;

describe('texts that could steer a terminal, or hide or turn what stands around them', () => {
  const { title } = endpoints.createMarket.body.shape;

  it('are refused by every character of these kinds, and by no other', () => {
    const points = Array.from({ length: 0x1_1000 }, (_, point) => point);
    for (let point = 0xe_0000; point < 0xe_0200; point += 1) points.push(point);
    const wrong = points.filter((point) => {
      const parsed = title.safeParse(`a${String.fromCodePoint(point)}`);
      return (kindOf(point) === null) !== parsed.success;
    });
    expect(wrong).to.deep.equal([]);
  });

  for (const [call, fields] of Object.entries(FIELDS) as [Call, readonly string[]][]) {
    for (const field of fields) {
      it(`are refused as ${field} of ${call}, in a batch too, with the place`, () => {
        for (const [kind, ranges] of REFUSED) {
          const point = ranges.at(-1)?.[1] ?? 0;
          const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
          expect(refusalOf(call, field, `ok${String.fromCodePoint(point)}`)).to.match(
            new RegExp(
              `^validation failure: ${field}.*: character 3 \\(${code.replace('+', '\\+')}\\) is ${kind}; remove it$`,
            ),
          );
        }
        // The three marks of direction, and what emoji and scripts need.
        for (const text of ['a\u200e', 'a\u200f', 'a\u061c', '☀\ufe0f', 'e\u0301', 'a\u00a0b', 'Auf\u00adgabe']) {
          expect(refusalOf(call, field, text)).to.equal(null);
        }
      });
    }
  }

  it('are lines only as a description', () => {
    expect(refusalOf('createMarket', 'description', 'one\n\ttwo')).to.equal(null);
    expect(refusalOf('createMarket', 'description', 'one\r\ntwo')).to.contain('character 4 (U+000D)');
    expect(refusalOf('createMarket', 'title', 'one\ntwo')).to.contain('character 4 (U+000A) is a control character');
  });

  it('are replaced where an importer takes them, so that the service takes all', () => {
    const { description } = endpoints.createMarket.body.shape;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(title.safeParse(`x${withoutRefused(text, false)}`).error).to.equal(undefined);
        expect(description.safeParse(withoutRefused(text, true)).error).to.equal(undefined);
      }),
    );
    expect(withoutRefused('a\r\nb\tc\u001b\u202e', true)).to.equal('a\nb\tc\ufffd\ufffd');
    expect(withoutRefused('a\r\nb\tc\u2028d', false)).to.equal('a b c d');
    expect(withoutRefused('fine \u200f text', false)).to.equal('fine \u200f text');
  });
});

describe('a citation', () => {
  const refused = (url: string): boolean => refusalOf('recordSignal', 'citationUrl', url) !== null;

  for (const url of [
    ...['https://apple.com@evil', 'https://apple.com@evil/x', 'http://user:secret@host/', 'https://a@b@c/'],
    ...[
      'https://apple.com\\@evil',
      'https:///user@evil',
      'https://apple.com%40evil/',
      'https://apple.com＠evil/',
      'https://apple.com﹫evil/',
    ],
    ...[
      'https://a b',
      'https://a/\u001b[2J',
      'https://a/\u202egnp',
      'https://a/\u200b',
      'https://a/\u{e0041}',
      'https://',
      'javascript:alert(1)',
    ],
    ...['https://?q', 'https://#x', `https://${'a'.repeat(901)}`],
  ]) {
    it(`is refused: ${JSON.stringify(url)}`, () => expect(refused(url)).to.equal(true));
  }

  for (const url of [
    ...['https://apple.com/@press', 'https://apple.com?to=a@b.c', 'https://apple.com/#@x', 'http://[::1]:8080/x'],
    ...['https://münchen.example/ä%20b', `https://${'a'.repeat(900)}`],
  ]) {
    it(`is taken: ${url.slice(0, 40)}`, () => expect(refused(url)).to.equal(false));
  }

  it('is judged alike in every command that takes one', () => {
    const calls = ['createMarket', 'amendMarket', 'resolveMarket', 'recordSignal'] as const;
    for (const call of calls) {
      expect(refusalOf(call, 'citationUrl', 'https://apple.com@evil'), call).to.match(
        /^validation failure: citationUrl: must be an http or https address/,
      );
      expect(refusalOf(call, 'citationUrl', 'https://apple.com/@press'), call).to.equal(null);
    }
  });

  it('names no user in any reading of an address that is taken', () => {
    const part = fc.constantFrom('a', '@', ':', '/', '\\', '?', '#', '%40', '.', '＠', 'http:', '//', '[', ']');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const url = `https://${parts.join('')}`;
        if (refused(url) || !URL.canParse(url)) return;
        const { password, username } = new URL(url);
        expect([username, password], url).to.deep.equal(['', '']);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a source that reads like the exchange's own", () => {
  for (const source of [
    'exchange',
    'EXCHANGE',
    ' Exchange',
    'ехсhange',
    'ЕXCHANGE',
    'exch\u200eange',
    'exch4nge',
    'ex-change',
  ]) {
    it(`is refused for a signal and a resolution: ${source}`, () => {
      for (const call of ['recordSignal', 'resolveMarket'] as const) {
        expect(refusalOf(call, 'source', source)).to.equal(
          'validation failure: source: reads like "exchange", the source of the exchange\'s own events; name another',
        );
      }
    });
  }
  for (const source of ['Stock Exchange', 'exchanges', 'Exchange Telegraph']) {
    it(`is not this: ${source}`, () => expect(refusalOf('recordSignal', 'source', source)).to.equal(null));
  }
});
