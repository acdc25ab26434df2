import unhomoglyph from 'unhomoglyph';

/**
 * Reads a text as a person does, so that texts which look alike read alike: by the skeleton of UTS 39 (Unicode's table
 * of confusable characters), without case and accents, with figures for letters. Only requests are judged by it:
 * Unicode's table grows, while the journal must always decide alike.
 */

/** Stands where a word may begin within a run of letters: at a capital, and on both sides of a figure or a sign. */
const SOFT_BREAK = '\n';
const WORD_BREAKS =
  /(?<=\P{Lu})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{Lu}\p{Lu})(?=\p{Ll})|(?=[^\p{L}\p{M}])|(?<=[^\p{L}\p{M}])/gu;

/** Figures and signs that are read as letters. The table has 0, 1 and | itself. */
const FIGURES: Readonly<Record<string, string>> = { 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'l' };

/** Small capitals, which the table keeps apart from capitals. */
const SMALL_CAPITALS = Array.from('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ');
const THEIR_LETTERS = 'abcdefghijklmnoprstuvwyz';

/** Accents, and characters that are not shown. */
const UNREAD = /^[\p{M}\p{Default_Ignorable_Code_Point}]$/u;

/** The reading of a text: letters, a space for what is no letter, and soft breaks. */
function readingOf(text: string): string {
  const marked = text.normalize('NFC').replaceAll(WORD_BREAKS, SOFT_BREAK);
  return Array.from(marked, (character) => (character === SOFT_BREAK ? SOFT_BREAK : lettersOf(character))).join('');
}

/** The letters that a character is read as, before or after its case changes; some marks look like letters too. */
function lettersOf(character: string): string {
  for (const form of [character, character.toLowerCase(), character.toUpperCase()]) {
    const letters = skeletonOf(form);
    if (/^[a-z]+$/.test(letters)) return letters;
  }
  const parts = character.normalize('NFKD');
  if (parts !== character) return Array.from(parts, lettersOf).join('');
  if (UNREAD.test(character)) return '';
  return /[\p{L}\p{N}]/u.test(character) ? character : ' ';
}

/** The skeleton has rn for m, and l for I and 1: so i is read as l too. */
function skeletonOf(character: string): string {
  const letter = FIGURES[character] ?? THEIR_LETTERS[SMALL_CAPITALS.indexOf(character)] ?? character;
  const skeleton = unhomoglyph(letter).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return skeleton.replaceAll('i', 'l').replaceAll('m', 'rn');
}

/** Whether the whole text looks like this word, whatever stands around or between its letters. */
export function looksLike(text: string, word: string): boolean {
  return readingOf(text).replaceAll(/[ \n]/g, '') === skeletonsOf(word).join('');
}

function skeletonsOf(word: string): readonly string[] {
  return Array.from(word, skeletonOf);
}

/**
 * Finds texts in which a word begins or ends with this word or its plural, or that spell it: "Lighthouses",
 * "MyHouseBot", "h o u s e", "Ho-use".
 */
function finderOf(word: string): RegExp {
  const letters = skeletonsOf(word);
  const joined = letters.join('\\n*');
  const spelled = letters.join('[ \\n]+');
  const split = letters.join('[ \\n]*');
  return new RegExp(
    `(?:^|[ \\n])(?:${joined}|${spelled}(?![^ \\n]))|${joined}(?:\\n*s)?(?:[ \\n]|$)|^[ \\n]*${split}(?:[ \\n]*s)?[ \\n]*$`,
    'u',
  );
}

/** Words of the names of the exchange's own accounts, and of those who run it. */
const RESERVED = ['house', 'demo', 'operator', 'admin', 'administrator', 'support', 'official', 'system', 'moderator'];
const FINDERS = RESERVED.map((word) => ({ word, finder: finderOf(word) }));

/** The rule of reserved names, in words. */
export const RESERVED_NAMES = `No word of it may begin or end with ${RESERVED.slice(0, -1).join(', ')} or ${RESERVED.at(-1)}, also where look-alike letters, figures, accents, capitals or spaces hide that: these are for the exchange's own accounts.`;

/** The fault of a display name that people would take for one of the exchange's own; null for every other. */
export function reservedNameFault(name: string): string | null {
  const reading = readingOf(name);
  const found = FINDERS.find(({ finder }) => finder.test(reading));
  return found === undefined ? null : `reads like "${found.word}"; choose another name. ${RESERVED_NAMES}`;
}
