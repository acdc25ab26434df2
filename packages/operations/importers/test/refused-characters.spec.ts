import { expect } from 'chai';
import { replaceRefused } from '../src/refused-characters.ts';

describe('characters that the service refuses, in what is imported', () => {
  it('are replaced in texts, which are noted, and stay in an address, which would be another one without them', () => {
    const adjustments: string[] = [];
    const replaced = replaceRefused(
      { title: 'a\u202eb', description: 'one\ntwo\u001b', citationUrl: 'https://a/\u202eb', prior: 0.5 },
      adjustments,
    );
    expect(replaced).to.deep.equal({
      title: 'a\ufffdb',
      description: 'one\ntwo\ufffd',
      citationUrl: 'https://a/\u202eb',
      prior: 0.5,
    });
    expect(adjustments).to.deep.equal([
      'title with characters that are refused',
      'description with characters that are refused',
    ]);
  });
});
