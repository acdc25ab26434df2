import { createHash } from 'node:crypto';

const LENGTH_MAX = 20;
const SOURCE_LENGTH = 3;
const DIGEST_LENGTH = 4;

const FILLER = new Set(
  (
    'a an and any are as at be been before by did do does end for from get happen has have if in into is it its least ' +
    'less more most new of on or over reach than that the their there this to under until was were what when which who ' +
    'will win with within'
  ).split(' '),
);

/**
 * A ticker such as `MAN-PUTIN-VISIT-K3F2`: the source, the question's first significant words, and a digest of its id,
 * which tells questions with the same words apart.
 */
export function readableTicker(source: string, externalId: string, question: string): string {
  const digest = createHash('sha256').update(`${source}:${externalId}`).digest();
  const suffix = digest.readUInt32BE().toString(36).toUpperCase().padStart(DIGEST_LENGTH, '0').slice(-DIGEST_LENGTH);
  const prefix = latinWords(source).join('').slice(0, SOURCE_LENGTH) || 'EXT';
  let ticker = prefix;
  for (const word of significantWords(question)) {
    const longer = `${ticker}-${word}`;
    if (longer.length + 1 + DIGEST_LENGTH > LENGTH_MAX) break;
    ticker = longer;
  }
  return `${ticker}-${suffix}`;
}

function significantWords(question: string): string[] {
  const words = latinWords(question);
  const significant = words.filter((word) => !FILLER.has(word.toLowerCase()));
  const wordMax = LENGTH_MAX - SOURCE_LENGTH - DIGEST_LENGTH - 2;
  return (significant.length > 0 ? significant : words).map((word) => word.slice(0, wordMax));
}

/** Words of capital Latin letters without accents, and digits; other scripts are left out. */
function latinWords(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/[\u0300-\u036f'’]/g, '');
  return plain.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
}
