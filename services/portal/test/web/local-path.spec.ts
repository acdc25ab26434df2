import { expect } from 'chai';
import { localPath } from '../../web/data/people/local-path.ts';

const ORIGIN = 'https://trade.example';

describe('the page after a sign-in', () => {
  for (const path of ['/', '/portfolio', '/markets/one?x=1#book', '/portfolio/a%2Fb']) {
    it(`${path} is followed`, () => expect(localPath(path, ORIGIN)).to.equal(path));
  }

  for (const wanted of [
    null,
    '',
    'portfolio',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/.//evil.example/',
    'javascript:alert(1)',
    'https://trade.example@evil.example/',
    'https://trade.example/portfolio',
  ]) {
    it(`${JSON.stringify(wanted)} is not followed`, () => expect(localPath(wanted, ORIGIN)).to.equal('/'));
  }
});
