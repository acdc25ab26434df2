import unhomoglyph from 'unhomoglyph';

/**
 * Finds texts that look like a reserved word to a person. A text is reduced to the skeleton of UTS 39 (Unicode's table
 * of confusable characters), without case and accents, and with letters for digits. Only requests are judged by it:
 * Unicode's table grows, while the journal must always decide alike.
 */

/** Marks where a word may begin within a run of letters: at a capital, and on both sides of a digit or a sign. */
const SOFT_BREAK = '\n';
const WORD_BREAKS =
  /(?<=\P{Lu})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{Lu}\p{Lu})(?=\p{Ll})|(?=[^\p{L}\p{M}])|(?<=[^\p{L}\p{M}])/gu;

/** Digits and signs that are read as letters. Unicode's table already has 0, 1 and |. */
const FIGURES: Readonly<Record<string, string>> = { 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'l' };

/** Small capitals, which Unicode's table does not equate with capitals. */
const SMALL_CAPITALS = Array.from('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ');
const THEIR_LETTERS = 'abcdefghijklmnoprstuvwyz';

const UNREAD = /^[\p{M}\p{Default_Ignorable_Code_Point}]$/u;

/** The reading of a text: its letters, a space for anything else, and soft breaks. */
function readingOf(text: string): string {
  const marked = text.normalize('NFC').replaceAll(WORD_BREAKS, SOFT_BREAK);
  return Array.from(marked, (character) => (character === SOFT_BREAK ? SOFT_BREAK : lettersOf(character))).join('');
}

/** The letters that a character is read as, with its case changed before or after; some marks look like letters too. */
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

/** The skeleton of a text. It has rn for m, and l for I and 1, so i is replaced by l too. */
function skeletonOf(character: string): string {
  const letter = FIGURES[character] ?? THEIR_LETTERS[SMALL_CAPITALS.indexOf(character)] ?? character;
  const skeleton = unhomoglyph(letter).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return skeleton.replaceAll('i', 'l').replaceAll('m', 'rn');
}

/** Whether the whole text looks like this word, whatever is around or between its letters. */
export function looksLike(text: string, word: string): boolean {
  return readingOf(text).replaceAll(/[ \n]/g, '') === skeletonsOf(word).join('');
}

function skeletonsOf(word: string): readonly string[] {
  return Array.from(word, skeletonOf);
}

/** Finds words that begin or end with this word or its plural, or spell it out: "MyHouseBot", "h o u s e". */
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

/** Words that names of the exchange's own accounts, and of the people who run it, may contain. */
const RESERVED = ['house', 'demo', 'operator', 'admin', 'administrator', 'support', 'official', 'system', 'moderator'];
const FINDERS = RESERVED.map((word) => ({ word, finder: finderOf(word) }));

/** The rule about reserved names, as a text. */
export const RESERVED_NAMES = `No word of it may begin or end with ${RESERVED.slice(0, -1).join(', ')} or ${RESERVED.at(-1)}, also where look-alike letters, figures, accents, capitals or spaces hide that: these are for the exchange's own accounts.`;

/** The fault of a display name that people could take for one of the exchange's own names; null for all others. */
export function reservedNameFault(name: string): string | null {
  const reading = readingOf(name);
  const found = FINDERS.find(({ finder }) => finder.test(reading));
  return found === undefined ? null : `reads like "${found.word}"; choose another name. ${RESERVED_NAMES}`;
}
