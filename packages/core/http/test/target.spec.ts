import { expect } from 'chai';
import { pathOf, targetOf } from '../src/index.ts';

describe('the target of a request', () => {
  const TARGETS = [
    ['/markets?limit=2&q=a?b', '/markets', '/markets', '?limit=2&q=a?b'],
    ['http://other.example/markets?limit=2', '/markets', '/markets', '?limit=2'],
    ['http://other.example?limit=2', '', '/', '?limit=2'],
    ['http://[/markets', '/markets', '/markets', ''],
    ['//', '//', '//', ''],
    ['//other.example/markets', '//other.example/markets', '//other.example/markets', ''],
    ['/\\other.example', '/\\other.example', '//other.example', ''],
    ['*', '*', '/*', ''],
    ['', '', '/', ''],
  ] as const;
  for (const [url, path, pathname, search] of TARGETS) {
    it(`is read as it was sent, and as a URL: ${JSON.stringify(url)}`, () => {
      expect(pathOf({ url })).to.equal(path);
      const target = targetOf({ url });
      expect([target.pathname, target.search, target.host]).to.deep.equal([pathname, search, 'localhost']);
    });
  }
});
