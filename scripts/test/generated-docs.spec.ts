import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { replaceSection } from '../docs/generated-section.ts';
import { generatedSections } from '../docs/generated-sections.ts';
import { helpSettings } from '../docs/settings.ts';

/** Ignores the width of columns. */
const plain = (text: string): string => text.replaceAll(/-{3,}/g, '---').replaceAll(/[ \n]+/g, ' ');

describe('the generated sections of the documentation', () => {
  for (const section of generatedSections()) {
    it(`${section.file} agrees with the code: ${section.name}`, () => {
      const page = readFileSync(section.file, 'utf8');
      const message = 'run node --import tsx scripts/docs/write.ts, then npm run format';
      expect(plain(page) === plain(replaceSection(page, section)), message).to.equal(true);
    });
  }

  it('the settings that --help shows agree with the code', async () => {
    const fresh: unknown = await import(`data:text/javascript,${encodeURIComponent(helpSettings())}`);
    expect({ ...(await import('../../packages/kit/commands/src/generated/settings.mjs')) }).to.deep.equal({
      ...(fresh as object),
    });
  });

  it('a section without its markers is an error', () => {
    expect(() => replaceSection('# A page', { file: 'a.md', name: 'codes', text: '' })).to.throw('there is no place');
  });
});
