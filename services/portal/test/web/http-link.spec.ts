import { expect } from 'chai';
import { httpAddress } from '../../web/pages/market/http-link.ts';

describe('the address of a citation', () => {
  const links = [
    ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
    ['HTTP://EXAMPLE.COM', 'http://example.com/'],
    // A browser would take it for a path of this site.
    ['https:example.com', 'https://example.com/'],
  ] as const;
  for (const [address, href] of links) {
    it(`is a link: ${address}`, () => expect(httpAddress(address)).to.equal(href));
  }

  const refused = [
    null,
    '',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
  ];
  for (const address of [...refused, 'ftp://example.com', '//example.com', '/path', 'https://']) {
    it(`is no link: ${JSON.stringify(address)}`, () => expect(httpAddress(address)).to.equal(null));
  }
});
