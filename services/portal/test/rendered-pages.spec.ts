import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { FirstReads } from '../src/pages/first-reads.ts';
import { PAGE_NAMES } from '../src/pages/paths.ts';
import type { PageName } from '../src/pages/paths.ts';
import { RenderedPages } from '../src/pages/rendered-pages.ts';

describe('rendered pages', () => {
  let nowMs: number;
  let read: string[];
  let rendered: string[];
  /** How long a rendering takes. */
  let renderMs: number;
  let pages: RenderedPages;

  beforeEach(() => {
    [nowMs, renderMs] = [0, 10];
    [read, rendered] = [[], []];
    const firstReads: FirstReads = {
      read: async (paths) => {
        read.push(...paths);
        return Object.fromEntries(paths.map((path) => [path, { body: '</script><b>', seq: 1, next: null }]));
      },
    };
    const modules = Object.fromEntries(PAGE_NAMES.map((name) => [name, []])) as unknown as Record<PageName, string[]>;
    pages = new RenderedPages({
      bundle: {
        script: '/assets/main.js',
        styles: '/assets/styles.css',
        moreStyles: '/assets/more-styles.css',
        icon: '/assets/icon.svg',
        modules,
        workers: {},
        firstPaint: {
          renderPage: (path) => {
            nowMs += renderMs;
            rendered.push(path);
            return `<h1>${path}</h1>`;
          },
        },
      },
      firstReads,
      now: () => nowMs,
    });
  });

  const htmlOf = async (path: string): Promise<string> => {
    const { head, rest } = pages.get(path, '');
    return `${head.toString()}${(await rest).toString()}`;
  };

  it('have their markup and the data that it was made of, which cannot end its element', async () => {
    const html = await htmlOf('/leaderboard');
    expect(html)
      .to.include('<div id="app"><h1>/leaderboard</h1></div>')
      .and.include(String.raw`\u003c/script>\u003cb>`);
    expect(html.match(/<\/script>/g)).to.have.length(2);
  });

  it('have a head that is there before anything is read, and is sent before the rest in every encoding', async () => {
    const page = pages.get('/leaderboard', '');
    expect(rendered).to.have.length(0);
    expect(page.head.toString()).to.include('/assets/main.js').and.include('</head>');
    const whole = await htmlOf('/leaderboard');
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { head, rest } = page.in(encoding);
      expect((await head).length).to.be.greaterThan(100);
      expect(decode(Buffer.concat([await head, await rest])).toString()).to.equal(whole);
      expect(page.in(encoding).rest).to.equal(rest);
    }
  });

  it('are made once for all who ask within a second, and anew after that', async () => {
    await Promise.all([htmlOf('/leaderboard'), htmlOf('/leaderboard')]);
    expect(rendered).to.have.length(1);
    nowMs += 1_001;
    await htmlOf('/leaderboard');
    expect(rendered).to.have.length(2);
    expect(read).to.have.length(2);
  });

  it('come without a first paint while more are asked for than there is time for, and with it again later', async () => {
    renderMs = 200;
    for (let n = 0; n < 3; n += 1) await htmlOf(`/markets/m${n}`);
    // 300 ms were saved up, and each rendering earned 40 ms more.
    expect(rendered).to.deep.equal(['/markets/m0', '/markets/m1']);
    expect(await htmlOf('/markets/m3'))
      .to.include('<div id="app"></div>')
      .and.not.include('</script><b>');
    nowMs += 1_000;
    await htmlOf('/markets/m4');
    expect(rendered).to.deep.equal(['/markets/m0', '/markets/m1', '/markets/m4']);
  });
});
