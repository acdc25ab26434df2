import { expect } from 'chai';
import { parseCookie } from 'cookie';
import { noteAttributes } from '../src/pages/notes.ts';

describe("the attributes of a page's element", () => {
  for (const [cookies, wanted] of [
    ['', ''],
    ['paper-seen=yes; paper-theme=dark; paper-times=utc', ' data-seen="yes" data-theme="dark" data-times="utc"'],
    ['other=1;paper-theme=light', ' data-theme="light"'],
    // Who has a session has been here before.
    ['session=abc', ' data-seen="yes" data-session'],
    ['__Host-session=abc; paper-theme=dark', ' data-seen="yes" data-theme="dark" data-session'],
    // Nothing else gets into the HTML.
    ['paper-theme="><script>; paper-times=mars; paper-seen', ''],
  ] as const) {
    it(`are ${wanted === '' ? 'none' : wanted} for the cookies ${JSON.stringify(cookies)}`, () => {
      expect(noteAttributes(parseCookie(cookies))).to.equal(wanted);
    });
  }
});
