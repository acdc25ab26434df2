import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withhold } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { expect } from 'chai';
import { checkTexts } from '../src/verify/texts/stored-texts.ts';

const golden = path.resolve(import.meta.dirname, '../../journal/test/golden');
const files = readdirSync(golden).filter((name) => /^format-\d+\.json$/.test(name));

describe('the schemas of the auditor', () => {
  for (const name of files) {
    const vectors = JSON.parse(readFileSync(path.join(golden, name), 'utf8')) as readonly {
      readonly stored: StoredEvent;
    }[];

    it(`cover every command and event of ${name}, whole and without private parts`, () => {
      expect(vectors.length).to.be.at.least(1);
      for (const { stored } of vectors) {
        checkTexts(stored);
        checkTexts({ ...withhold(stored), privateText: null });
      }
    });

    it(`refuse each of ${name} with a field more in any part`, () => {
      for (const { stored } of vectors) {
        const visible = JSON.parse(stored.publicText) as Record<string, object>;
        const hidden = JSON.parse(stored.privateText ?? '{}') as Record<string, object>;
        for (const part of ['command', 'event']) {
          const more = (texts: Record<string, object>): string =>
            JSON.stringify({ ...texts, [part]: { ...texts[part], zzz: 1 } });
          if (visible[part] !== undefined) {
            const forged = { ...stored, publicText: more(visible) };
            expect(() => checkTexts(forged), `${stored.type}: public ${part}`).to.throw(/^schema: .*zzz/);
          }
          if (hidden[part] !== undefined) {
            const forged = { ...stored, privateText: more(hidden) };
            expect(() => checkTexts(forged), `${stored.type}: private ${part}`).to.throw(/^schema: .*zzz/);
          }
        }
      }
    });
  }

  it('take a display name of version 1 only as long as the rules of then did, in characters as people see them', () => {
    const openings = files
      .flatMap((name) => JSON.parse(readFileSync(path.join(golden, name), 'utf8')) as { stored: StoredEvent }[])
      .filter(({ stored }) => /"displayName".*"type":"Open(Sub)?Account"/.test(stored.publicText));
    expect(openings.length).to.be.at.least(2);
    for (const { stored } of openings) {
      const text = JSON.parse(stored.publicText) as { readonly command: object };
      const named = (displayName: string): StoredEvent => ({
        ...stored,
        publicText: JSON.stringify({ ...text, command: { ...text.command, displayName } }),
      });
      for (const name of ['𝒜𝒜', '𝒜'.repeat(24)]) checkTexts(named(name));
      for (const name of ['', 'a', '𝒜', 'x'.repeat(25)]) {
        expect(() => checkTexts(named(name)), name).to.throw(/^schema: .*a display name has 2 to 24 characters/);
      }
    }
  });

  it('are of each version by itself, also where two versions have the same fields and hide others of them', () => {
    const keys = files
      .flatMap((name) => JSON.parse(readFileSync(path.join(golden, name), 'utf8')) as { stored: StoredEvent }[])
      .filter(({ stored }) => stored.type === 'ApiKeyIssued')
      .map(({ stored }) => stored);
    const versions = keys.map(({ publicText }) => (JSON.parse(publicText) as { version: number }).version);
    expect(versions).to.include.members([1, 2]);
    for (const stored of [...keys, ...keys.toReversed()]) checkTexts(stored);
  });
});
