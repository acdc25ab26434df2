import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { FirstReads } from '../src/pages/first-reads.ts';
import type { PageReads } from '../src/pages/read-answer.ts';
import { PAGE_NAMES } from '../src/pages/paths.ts';
import type { PageName } from '../src/pages/paths.ts';
import { RenderedPages } from '../src/pages/rendered-pages.ts';

const PUBLIC_URL = 'https://paper.example';

describe('rendered pages', () => {
  let nowMs: number;
  let read: string[];
  let rendered: string[];
  /** How long a rendering takes. */
  let renderMs: number;
  let pages: RenderedPages;
  /** What the head of a market's page gets, which reads the market alone. */
  let market: PageReads;

  beforeEach(() => {
    [nowMs, renderMs] = [0, 10];
    [read, rendered, market] = [[], [], {}];
    const firstReads: FirstReads = {
      read: async (paths) => {
        const [subject = ''] = paths;
        if (paths.length === 1 && (subject.startsWith('/api/markets/') || subject in market)) return market;
        read.push(...paths);
        return Object.fromEntries(paths.map((path) => [path, { body: '</script><b>', seq: 1, next: null }]));
      },
    };
    const modules = Object.fromEntries(PAGE_NAMES.map((name) => [name, []])) as unknown as Record<PageName, string[]>;
    pages = new RenderedPages({
      bundle: {
        assets: new Map([['/assets/styles.css', { contentType: 'text/css', bytes: Buffer.from('b{color:red}') }]]),
        script: '/assets/main.js',
        styles: '/assets/styles.css',
        listStyles: '/assets/list-styles.css',
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
    const { head, rest } = await pages.get(path, '?sort=new', PUBLIC_URL);
    return `${head.toString()}${(await rest).toString()}`;
  };

  it('have the styles of their first paint in their HTML, so that it needs no second answer', async () => {
    const html = await htmlOf('/');
    expect(html)
      .to.include('<style data-of="/assets/styles.css">b{color:red}</style>')
      .and.not.include('rel="stylesheet"');
  });

  it('have their markup and the data that it was made of, which cannot end its element', async () => {
    const html = await htmlOf('/leaderboard');
    expect(html)
      .to.include('<div id="app"><h1>/leaderboard</h1></div>')
      .and.include(String.raw`\u003c/script>\u003cb>`);
    expect(html.match(/<\/script>/g)).to.have.length(2);
  });

  it('have a head that is there before anything is read, and is sent before the rest in every encoding', async () => {
    const page = await pages.get('/leaderboard', '', PUBLIC_URL);
    expect(page.head.toString()).to.include('/assets/main.js').and.include('</head>');
    const whole = page.head.toString() + (await page.rest).toString();
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

  it('given a page whose time has passed, leave memory with the next one that is made', async () => {
    for (let n = 0; n < 3; n += 1) await htmlOf(`/markets/m${n}`);
    nowMs += 500;
    await htmlOf('/leaderboard');
    expect(pages.held).to.equal(4);
    nowMs += 600;
    await htmlOf('/markets/m3');
    expect(pages.held).to.equal(2);
  });

  it('given ever more combinations of cookies, hold eight of them', async () => {
    const of = (n: number) => pages.get('/leaderboard', '', PUBLIC_URL, ` data-n="${n}"`);
    const first = await of(0);
    for (let n = 1; n < 8; n += 1) await of(n);
    expect(await of(0)).to.equal(first);
    await of(8);
    expect(await of(0)).not.to.equal(first);
    expect(rendered).to.have.length(1);
  });

  it("are made once for all browsers, and each gets what it remembers in the HTML's element", async () => {
    const of = async (attributes: string) => (await pages.get('/leaderboard', '', PUBLIC_URL, attributes)).head;
    const [first, dark, again] = [await of(''), await of(' data-theme="dark"'), await of(' data-theme="dark"')];
    expect(first.toString()).to.include('<html lang="en">');
    expect(dark.toString()).to.include('<html lang="en" data-theme="dark">');
    expect(again).to.equal(dark);
    expect(rendered).to.have.length(1);
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

  /** The title, the description, the address and the status that a page is sent with. */
  const describedBy = async (path: string) => {
    const { head, status } = await pages.get(path, '?sort=new', PUBLIC_URL);
    const html = head.toString();
    const find = (pattern: RegExp): string | null => pattern.exec(html)?.[1] ?? null;
    const title = find(/<title>(.*) – Paper Trading Service<\/title>/);
    const description = find(/<meta name="description" content="(.*)" \/>/);
    const address = find(/<link rel="canonical" href="(.*)" \/>/);
    expect(find(/<meta property="og:title" content="(.*)" \/>/)).to.equal(title);
    expect(find(/<meta property="og:description" content="(.*)" \/>/)).to.equal(description);
    expect(find(/<meta property="og:url" content="(.*)" \/>/)).to.equal(address);
    return { title, description, address, status };
  };
  const marketIs = (answer: object): void => {
    market = { '/api/markets/a%20b': { body: null, seq: 1, next: null, ...answer } };
  };

  it('say in their head what they are, at the one address of this page', async () => {
    expect(await describedBy('/')).to.deep.equal({
      title: 'Markets',
      description: 'Trade yes/no markets with $10,000 of simulated money, by hand or with a bot.',
      address: 'https://paper.example/',
      status: 200,
    });
    expect(await describedBy('/leaderboard')).to.include({ title: 'Leaderboard', status: 200 });
    const all = await Promise.all(PAGE_NAMES.map((name) => describedBy(`/${name}`)));
    expect(new Set(all.map(({ description }) => description)).size).to.be.at.least(4);
  });

  it("have a market's title and chance in their head, as text, and its description up to a length", async () => {
    const body = { title: '</title>"<b>?', description: '"Yes"<br>', phase: 'active', probability: 0.634 };
    marketIs({ body: { ...body, resolvedOutcome: null } });
    expect(await describedBy('/markets/a%20b')).to.deep.equal({
      title: '&#60;/title&#62;&#34;&#60;b&#62;? · 63% yes',
      description:
        '&#34;Yes&#34;&#60;br&#62; Trade yes/no markets with $10,000 of simulated money, by hand or with a bot.',
      address: 'https://paper.example/markets/a%20b',
      status: 200,
    });
    nowMs += 1_001;
    marketIs({ body: { ...body, description: 'x'.repeat(300), resolvedOutcome: 'no' } });
    const settled = await describedBy('/markets/a%20b');
    expect(settled.title).to.match(/ · Resolved No$/);
    expect(settled.description).to.equal(`${'x'.repeat(199)}…`);
  });

  it('have the general title where the market does not come in time', async () => {
    expect(await describedBy('/markets/a%20b')).to.include({ title: 'Market', status: 200 });
  });

  it("have a trader's name in their head, and are 404 without such a trader or order", async () => {
    market = {
      '/api/traders/a%20b': { body: { displayName: '<b>Ada', trades: 7 }, seq: 1, next: null },
      '/api/traders/x': { body: null, seq: 1, next: null, missing: { code: 'account_not_found', error: 'None' } },
      '/api/journal/orders/o1?limit=20': { body: { seqs: [5] }, seq: 1, next: null },
      '/api/journal/orders/o2?limit=20': {
        body: null,
        seq: 1,
        next: null,
        missing: { code: 'not_found', error: 'None' },
      },
    };
    expect(await describedBy('/traders/a%20b')).to.deep.include({ title: '&#60;b&#62;Ada', status: 200 });
    expect(await describedBy('/traders/x')).to.deep.include({ title: 'No such trader', address: null, status: 404 });
    expect(await describedBy('/proof/o1')).to.deep.include({
      title: 'Proof of an order',
      address: 'https://paper.example/proof/o1',
      status: 200,
    });
    expect(await describedBy('/proof/o2')).to.deep.include({ title: 'No such order', address: null, status: 404 });
  });

  it('are 404 where there is no such market, and where there is no such page', async () => {
    marketIs({ missing: { code: 'market_not_found', error: 'No market has the id a b' } });
    expect(await describedBy('/markets/a%20b')).to.include({ title: 'No such market', address: null, status: 404 });
    expect(await describedBy('/nowhere')).to.include({ title: 'No such page', address: null, status: 404 });
    // However many paths are asked for, they are one page.
    await describedBy('/nowhere/else');
    expect(rendered.filter((path) => !path.startsWith('/markets/'))).to.deep.equal(['/no-such-page']);
  });
});
