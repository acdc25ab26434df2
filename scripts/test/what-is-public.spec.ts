import { readFileSync } from 'node:fs';
import { describedEvents } from '@paper/journal';
import { expect } from 'chai';
import { madeParts, withPart } from '../docs/what-is-public.ts';

/** However wide the columns are. */
const plain = (text: string): string => text.replaceAll(/-{3,}/g, '---').replaceAll(/[ \n]+/g, ' ');

describe('what is public', () => {
  for (const part of madeParts()) {
    it(`is told by ${part.file} as it is declared: ${part.name}`, () => {
      const document = readFileSync(part.file, 'utf8');
      const message = 'run node --import tsx scripts/docs/write-what-is-public.ts, then npm run format';
      expect(plain(document) === plain(withPart(document, part)), message).to.equal(true);
    });
  }

  it('has of the newest events no name, no right of a key, and no owner', () => {
    const newest = new Map(describedEvents().map((one) => [one.type, one.publicFields]));
    for (const [type, fields] of newest) {
      for (const field of ['displayName', 'keyHash', 'last4', 'name', 'permissions', 'primaryAccountId']) {
        expect(fields, type).not.to.include(field);
      }
    }
  });
});
