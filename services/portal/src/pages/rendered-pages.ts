import type { Bundle } from './bundle.ts';
import type { FirstReads } from './first-reads.ts';
import { PageParts } from './page-parts.ts';
import { describePage, subjectRead } from './page-description.ts';
import type { PageDescription } from './page-description.ts';
import { findPage, PAGES } from './paths.ts';
import type { PageReads } from './read-answer.ts';
import { shellBody, shellHead } from './shell.ts';
import type { PageHead } from './shell.ts';

interface Held {
  readonly rest: Promise<Buffer>;
  readonly description: Promise<PageDescription>;
  readonly pages: Map<string, Promise<PageParts>>;
  readonly untilMs: number;
}

type RenderedPagesOptions = Readonly<{ bundle: Bundle; firstReads: FirstReads; now?: () => number }>;

/** How long a page's HTML, which has no personal content, is reused for all requests. */
const FRESH_MS = 1_000;
const HELD_MAX = 100;
/** The most heads of an address that are held: one for each combination of cookies, of which browsers have few. */
const HEADS_MAX = 8;
/** The path that stands for all paths without a page. */
const NO_PAGE = '/no-such-page';
/** The largest share of time for rendering, since the API is in the same thread, and the most that may be saved up. */
const RENDER_SHARE = 0.2;
const SAVED_MS_MAX = 300;

/** Renders each page once for concurrent requests. Without time left, it sends the page for the browser to render. */
export class RenderedPages {
  readonly #now: () => number;
  readonly #held = new Map<string, Held>();
  #savedMs = SAVED_MS_MAX;
  #savedAtMs: number;

  constructor(private readonly options: RenderedPagesOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#savedAtMs = this.#now();
  }

  /** The number of addresses whose pages are in memory. */
  get held(): number {
    return this.#held.size;
  }

  /** The page of a path, or the page that says that there is none. @param attributes as in `PageHead` */
  get(path: string, search: string, publicUrl: string, attributes = ''): Promise<PageParts> {
    if (findPage(path) === null) [path, search] = [NO_PAGE, ''];
    const held = this.#hold(path, search);
    const page = held.pages.get(attributes) ?? this.#make(path, held, { publicUrl, attributes });
    held.pages.set(attributes, page);
    dropOldest(held.pages, HEADS_MAX);
    return page;
  }

  #hold(path: string, search: string): Held {
    const key = path + search;
    const known = this.#held.get(key);
    if (known !== undefined && known.untilMs > this.#now()) return known;
    this.#dropStale();
    const found = findPage(path);
    const readPaths = found === null ? [] : (PAGES[found.name].firstReads?.(found.params, search) ?? []);
    const held: Held = {
      rest: this.#makeBody(path, search, readPaths),
      description: this.#describe(found),
      pages: new Map(),
      untilMs: this.#now() + FRESH_MS,
    };
    // The sender handles a failure; if the page is not sent, the failure is ignored.
    held.rest.catch(() => undefined);
    this.#held.set(key, held);
    dropOldest(this.#held, HELD_MAX);
    return held;
  }

  /** Drops the pages whose time has passed, which are the first ones: the map is in order of insertion. */
  #dropStale(): void {
    for (const [key, { untilMs }] of this.#held) {
      if (untilMs > this.#now()) return;
      this.#held.delete(key);
    }
  }

  async #make(path: string, { description, rest }: Held, site: Pick<PageHead, 'publicUrl' | 'attributes'>) {
    const described = await description;
    const head = shellHead(this.options.bundle, findPage(path)?.name ?? null, { ...described, ...site });
    return new PageParts(described.path === null ? 404 : 200, Buffer.from(head), rest);
  }

  async #describe(found: ReturnType<typeof findPage>): Promise<PageDescription> {
    const subject = subjectRead(found);
    const reads = subject === null ? {} : await this.options.firstReads.read([subject]);
    return describePage(found, reads[subject ?? '']);
  }

  async #makeBody(path: string, search: string, readPaths: readonly string[]): Promise<Buffer> {
    const { bundle, firstReads } = this.options;
    const reads = this.#hasTime() ? await firstReads.read(readPaths) : {};
    const markup = this.#render(path, search, reads);
    return Buffer.from(shellBody(bundle, { markup, reads }));
  }

  #render(path: string, search: string, reads: PageReads): string {
    if (!this.#hasTime()) return '';
    const startedMs = this.#now();
    try {
      return this.options.bundle.firstPaint.renderPage(path, search, reads);
    } finally {
      this.#savedMs -= this.#now() - startedMs;
    }
  }

  #hasTime(): boolean {
    const now = this.#now();
    this.#savedMs = Math.min(SAVED_MS_MAX, this.#savedMs + (now - this.#savedAtMs) * RENDER_SHARE);
    this.#savedAtMs = now;
    return this.#savedMs > 0;
  }
}

/** Drops the oldest entry of a map that has too many. */
function dropOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
