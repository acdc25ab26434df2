import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { z } from 'zod';
import { endpoints } from '../src/endpoints.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { BatchCommand } from '../src/operator/batch.ts';
import { validationMessage } from '../src/validation-message.ts';
import { pick, seeded } from './mutate.ts';

interface Field {
  readonly of: string;
  readonly field: 'displayName' | 'name';
  readonly schema: z.ZodType;
  /** The other fields of a batch item. */
  readonly item?: object;
  readonly longest: number;
}

/** Every field that takes a name. */
const FIELDS = [
  { of: 'POST /api/accounts/sub', field: 'displayName', schema: endpoints.createSubAccount.body, longest: 24 },
  { of: 'POST /api/operator/accounts', field: 'displayName', schema: endpoints.openAccount.body, longest: 24 },
  {
    of: 'the batch item open-account',
    field: 'displayName',
    schema: BatchCommand,
    item: { op: 'open-account' },
    longest: 24,
  },
  { of: 'POST /api/accounts/sub/{id}/keys', field: 'name', schema: endpoints.createSubAccountKey.body, longest: 40 },
  { of: 'POST /api/operator/accounts/{id}/keys', field: 'name', schema: endpoints.issueAccountKey.body, longest: 40 },
  {
    of: 'the batch item issue-key',
    field: 'name',
    schema: BatchCommand,
    item: { op: 'issue-key', id: 'a' },
    longest: 40,
  },
] as const satisfies readonly Field[];

/** The message with which the field refuses the name; null where the name is accepted. */
function refusalOf(target: Field, name: string): string | null {
  const { field, item = {}, schema } = target;
  const body = { ...item, [field]: name, ...(field === 'name' ? { permissions: ['view'] } : {}) };
  const { error } = schema.safeParse(body);
  return error === undefined ? null : validationMessage(error).replace(`validation failure: ${field}: `, '');
}

const ACCEPTED = [
  'Momentum',
  'Zoë 東京',
  'عربى',
  'नमस्ते',
  'a b c',
  'a\u00a0b',
  '☀\ufe0f sun',
  'x\u0301y',
  '🚀🚀',
  '<b>',
];

const REFUSED: readonly (readonly [what: string, name: string, message: string])[] = [
  ['a control character', 'a\u0007b', 'character 2 (U+0007) is a control character, which a name cannot have'],
  ['a tab', 'a\tb', 'character 2 (U+0009) is a control character, which a name cannot have'],
  ['a line separator', 'ab\u2028c', 'character 3 (U+2028) is a line or paragraph separator, which a name cannot have'],
  [
    'a paragraph separator',
    'a\u2029',
    'character 2 (U+2029) is a line or paragraph separator, which a name cannot have',
  ],
  ['a right-to-left override', '\u202eab', 'character 1 (U+202E) is a bidirectional control, which a name cannot have'],
  ['a bidirectional isolate', 'a\u2066b', 'character 2 (U+2066) is a bidirectional control, which a name cannot have'],
  ['a zero-width space', 'a\u200bb', 'character 2 (U+200B) is a zero-width character, which a name cannot have'],
  ['a zero-width joiner', '👨\u200d👩', 'character 2 (U+200D) is a zero-width character, which a name cannot have'],
  ['a byte order mark', 'ab\ufeff', 'character 3 (U+FEFF) is a zero-width character, which a name cannot have'],
  ['a soft hyphen', 'a\u00adb', 'character 2 (U+00AD) is a format character, which a name cannot have'],
  ['a tag character', 'a\u{e0041}b', 'character 2 (U+E0041) is a format character, which a name cannot have'],
  ['a Hangul filler', 'a\u3164b', 'character 2 (U+3164) is an invisible character, which a name cannot have'],
  ['a half-width Hangul filler', 'a\uffa0', 'character 2 (U+FFA0) is an invisible character, which a name cannot have'],
  ['a grapheme joiner', 'a\u034fb', 'character 2 (U+034F) is an invisible character, which a name cannot have'],
  ['a Braille blank', '\u2800\u2800', 'character 1 (U+2800) is a filler, which a name cannot have'],
  ['a private-use character', 'a\ue000', 'character 2 (U+E000) is a private-use character, which a name cannot have'],
  ['an unassigned character', 'a\u0378', 'character 2 (U+0378) is an unassigned character, which a name cannot have'],
  ['a noncharacter', 'a\uffff', 'character 2 (U+FFFF) is an unassigned character, which a name cannot have'],
  ['a lone surrogate', 'a\ud800b', 'character 2 (U+D800) is a lone surrogate, which a name cannot have'],
  ['NUL', 'a\u0000b', 'character 2 (U+0000) is a control character, which a name cannot have'],
  ['leading white space', ' ab', 'character 1 (U+0020) is white space at the beginning'],
  ['trailing white space', 'ab ', 'must not end with white space'],
  ['trailing wide white space', 'ab\u3000', 'must not end with white space'],
  ['doubled white space', 'a  b', 'character 3 (U+0020) is white space after white space'],
  ['two kinds of white space', 'a \u00a0b', 'character 3 (U+00A0) is white space after white space'],
  ['only a variation selector', '\ufe0f\ufe0f', 'character 1 (U+FE0F) needs a visible character before it'],
  ['two variation selectors', '☀\ufe0f\ufe0f', 'character 3 (U+FE0F) needs a visible character before it'],
  ['another variation selector', '☀\ufe0e', 'character 2 (U+FE0E) is an invisible character, which a name cannot have'],
  ['no NFC', 'Zoe\u0308', 'must be in Unicode normalization form C (NFC); it is not from character 3 on'],
  ['a singleton', 'x\u212b', 'must be in Unicode normalization form C (NFC); it is not from character 2 on'],
];

describe('names that look like others, or like nothing, are refused where a request is read', () => {
  for (const target of FIELDS) {
    describe(target.of, () => {
      for (const name of ACCEPTED) it(`takes ${name}`, () => expect(refusalOf(target, name)).to.equal(null));
      for (const [what, name, message] of REFUSED) {
        it(`refuses ${what}`, () => expect(refusalOf(target, name)).to.equal(message));
      }
      it(`counts ${target.longest} code points`, () => {
        const { longest } = target;
        expect(refusalOf(target, '🚀'.repeat(longest))).to.equal(null);
        expect(refusalOf(target, '🚀'.repeat(longest + 1))).to.match(/must be \d to \d+ characters long/);
        expect(refusalOf(target, '')).to.match(/must be \d to \d+ characters long/);
      });
    });
  }
});

const CHARACTERS = [
  ...['a', 'é', '🚀', '☀', '\ufe0f', '\u0301', ' ', ' ', '\u00a0', '\u3000', '\t', '\n', '\u2028', '\u2029', '\u0085'],
  ...['\u200b', '\u200d', '\u202e', '\u2066', '\ufeff', '\u00ad', '\u115f', '\u3164', '\uffa0', '\u034f', '\u2800'],
  ...[
    '\u{1d159}',
    '\u{16fe4}',
    '\u{13441}',
    '\ue000',
    '\u{f0000}',
    '\u0378',
    '\ufdd0',
    '\ud800',
    '\udfff',
    '\u{e0101}',
  ],
  ...['\u180b', '\u17b4', '\ufffc', '\u1100', '\u1161', 'ß', 'İ', '\u212b', '\u0e33', '\u094d'],
];

describe('the served pattern of a name', () => {
  const { components } = openApiDocument() as unknown as {
    components: { schemas: Record<string, { properties: Record<string, object> }> };
  };
  const fields = [
    { target: FIELDS[0], served: components.schemas['CreateSubAccountInput']?.properties['displayName'] },
    { target: FIELDS[3], served: components.schemas['CreateApiKeyInput']?.properties['name'] },
  ];
  for (const { target, served } of fields) {
    const fits = new Ajv2020({ strict: false, unicodeRegExp: true }).compile(served ?? false);

    it(`accepts each ${target.field} that the service accepts`, () => {
      const random = seeded(20_270_731);
      let [accepted, refusedByBoth] = [0, 0];
      for (let round = 0; round < 20_000; round += 1) {
        const length = 1 + Math.floor(random() * 6);
        const drawn = Array.from({ length }, () => (random() < 0.2 ? pick(random, CHARACTERS) : 'x')).join('');
        const name = drawn.normalize('NFC');
        if (refusalOf(target, name) === null) {
          expect(fits(name), JSON.stringify(name)).to.equal(true);
          accepted += 1;
        } else if (!fits(name)) {
          refusedByBoth += 1;
        }
      }
      expect([accepted > 1_000, refusedByBoth > 1_000]).to.deep.equal([true, true]);
    });
  }
});
