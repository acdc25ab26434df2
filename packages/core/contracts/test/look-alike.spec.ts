import { expect } from 'chai';
import fc from 'fast-check';
import { createRequire } from 'node:module';
import { reservedNameFault } from '../src/index.ts';

const REFUSED: readonly (readonly [word: string, names: readonly string[]])[] = [
  ['house', ['House', 'HOUSE maker', 'house2', 'HOUSE-2', 'Lighthouse', 'Lighthouses', 'MyHouseBot', 'HouseMaker']],
  ['house', ['MyHOUSEbot', 'my1house2', 'my1housebot', 'my.house', 'house.bot', 'my_house_bot', 'Warehouse']],
  ['house', ['H0use', 'Hоuse maker', 'Нouse', 'нouse', 'ΗΟUSE', 'Hσuse', 'Hóuse', 'høuse', 'Ħouse', 'ho\u0301use']],
  ['house', ['Ｈｏｕｓｅ', '𝐇𝐨𝐮𝐬𝐞', 'ʜᴏᴜꜱᴇ', 'ⓗⓞⓤⓢⓔ', 'h o u s e 2', 'h-o-u-s-e bot', 'Ho-use', 'Ho use']],
  ['demo', ['Demo', 'demo_1', 'DEМO', 'DeMo', 'ᎠᎬᎷO', 'Dėmō', 'D3mo', 'D e m o', 'de-mo', 'Demosthenes', 'clip dem0s']],
  ['operator', ['Operator', 'Rita Operator', 'RitaOperator', '0perat0r', 'οреratοr', 'Operators']],
  ['admin', ['Admin', 'Admins', 'Adm1n', '@dmin', 'adm!n', 'Administrator', 'MyADMINs', 'Adrnin', 'sysadmin']],
  ['support', ['Support', 'Support Desk', 'AdaSupport', '5upp0rt', '$upport', 'ЅUРРОRТ']],
  ['official', ['Official', 'Unofficial', '0ff1c1al', 'oﬃcial', 'OFFICIALLY']],
  ['system', ['System', 'SYSТEM', 'systем', 'Sy5t3m', 'Sys7em', 'Ecosystem', 'Systematic', 'systern']],
  ['moderator', ['Moderator', 'moderators', 'МODERATOR', 'M0D3R4T0R']],
  // Written in small capitals, with marks that nothing composes, in plural over a sign, and before a lower-case ending.
  ['house', ['My ho\u0335use', 'Ho-uses', 'MyOLDHOUSEbot', 'hᴏᴜꜱᴇs']],
  ['demo', ['ᴅᴇᴍᴏ', 'De-mos', 'MyOLDDEMObot']],
  ['operator', ['ᴏᴘᴇʀᴀᴛᴏʀ']],
  ['admin', ['ᴀᴅᴍɪɴ', 'Ad-mins']],
  ['support', ['ꜱᴜᴘᴘᴏʀᴛ']],
  ['official', ['ᴏꜰꜰɪᴄɪᴀʟ']],
  ['system', ['ꜱʏꜱᴛᴇᴍ']],
  ['moderator', ['ᴍᴏᴅᴇʀᴀᴛᴏʀ']],
];

const ACCEPTED = [
  ...['Ada', 'Rita Trader', 'Houston', 'Modern', 'Admiral 7', 'Opera', 'Operation', 'Supper', 'Office', 'Hoard', '42'],
  ...['Lighthousekeeper', 'Madmining', 'Blouse', 'Market maker', 'Momentum', '李', 'Zoë 東京', 'नमस्ते', 'عربى', '🚀🚀'],
];

describe('display names that read like those of the exchange itself', () => {
  for (const [word, names] of REFUSED) {
    for (const name of names) {
      it(`are refused: ${name}`, () => expect(reservedNameFault(name)).to.match(new RegExp(`^reads like "${word}"`)));
    }
  }
  for (const name of ACCEPTED) it(`are not these: ${name}`, () => expect(reservedNameFault(name)).to.equal(null));

  it('are refused with the rule, so that another can be chosen', () => {
    expect(reservedNameFault('Нouse')).to.equal(
      'reads like "house"; choose another name. No word of it may begin or end with house, demo, operator, admin, ' +
        'administrator, support, official, system or moderator, also where look-alike letters, figures, accents, ' +
        "capitals or spaces hide that: these are for the exchange's own accounts.",
    );
  });

  it("are refused with any of Unicode's confusable letters in place of their own", () => {
    const words = ['house', 'demo', 'operator', 'admin', 'support', 'official', 'system', 'moderator'];
    const disguised = fc.oneof(
      ...words.map((word) => fc.tuple(...Array.from(word, (letter) => fc.constantFrom(...looks(letter))))),
    );
    const around = fc.constantFrom(['', ''], ['Rita ', ''], ['', ' Rita'], ['rita', ''], ['', 'rita'], ['ri.', '.ta']);
    fc.assert(
      fc.property(disguised, around, (letters, [before, after]) => {
        expect(reservedNameFault(`${before}${letters.join('')}${after}`)).to.be.a('string');
      }),
      { numRuns: 2_000 },
    );
  });
});

const CONFUSABLES = Object.entries(createRequire(import.meta.url)('unhomoglyph/data.json') as Record<string, string>);

/** The letter in both cases, and all that Unicode's table confuses with one of them. */
function looks(letter: string): readonly string[] {
  const own = [letter, letter.toUpperCase()];
  return [...own, ...CONFUSABLES.flatMap(([character, like]) => (own.includes(like) ? [character] : []))];
}
