/** A service whose streams the test opens, feeds and cuts. */
export class FakeService {
  /** Each request that was made, in order. */
  readonly requests: { readonly url: string; readonly lastEventId: string | null; isOpen: boolean }[] = [];
  readonly #streams: (ReadableStreamDefaultController<Uint8Array> | null)[] = [];
  /** Answers with this error instead of a stream. */
  refusal: {
    readonly status: number;
    readonly error: string;
    readonly code: string;
    readonly retryAfter?: number;
  } | null = null;
  isAway = false;

  /** The open streams' addresses. */
  get open(): readonly string[] {
    return this.requests.filter(({ isOpen }) => isOpen).map(({ url }) => url);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = {
      url: input as string,
      lastEventId: new Headers(init?.headers).get('last-event-id'),
      isOpen: false,
    };
    this.requests.push(request);
    const index = this.#streams.push(null) - 1;
    if (this.isAway) throw new TypeError('fetch failed');
    if (this.refusal !== null) {
      const { status, retryAfter, ...body } = this.refusal;
      return new Response(JSON.stringify(body), {
        status,
        headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
      });
    }
    request.isOpen = true;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#streams[index] = controller),
    });
    init?.signal?.addEventListener('abort', () => {
      request.isOpen = false;
      this.#streams[index]?.error(new DOMException('aborted', 'AbortError'));
      this.#streams[index] = null;
    });
    return new Response(stream, { status: 200 });
  };

  /** Sends text on the newest open stream whose address begins so. */
  send(url: string, text: string): void {
    this.#at(url).stream.enqueue(new TextEncoder().encode(text));
  }

  /** Sends text on all open streams. */
  sendAll(text: string): void {
    for (const stream of this.#streams) stream?.enqueue(new TextEncoder().encode(text));
  }

  /** Ends it. */
  cut(url: string): void {
    const { index, stream } = this.#at(url);
    stream.close();
    this.#streams[index] = null;
    this.requests[index]!.isOpen = false;
  }

  #at(url: string) {
    const index = this.requests.findLastIndex((request) => request.isOpen && request.url.startsWith(url));
    const stream = this.#streams[index];
    if (stream === undefined || stream === null) throw new Error(`no open stream begins with ${url}`);
    return { index, stream };
  }
}
