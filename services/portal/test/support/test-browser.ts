import { request } from 'node:http';

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; null without a body. */
  readonly body: unknown;
  readonly text: string;
}

export interface BrowserRequest {
  readonly body?: unknown;
  /** Headers that differ from a page's of the portal; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Calls the portal as a page of it would: with its Host, its Origin, and the cookies that were set. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;
  readonly #port: number;

  /** @param url PUBLIC_URL. @param port of 127.0.0.1, where the portal listens. */
  constructor(url: string, port: number) {
    this.#url = url;
    this.#port = port;
  }

  /** Sends one call. Redirects are not followed. */
  async call(method: string, path: string, { body, headers = {} }: BrowserRequest = {}): Promise<BrowserAnswer> {
    const answer = await this.#send(method, path, body === undefined ? '' : JSON.stringify(body), {
      host: new URL(this.#url).host,
      ...(method === 'GET' ? {} : { origin: this.#url }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...headers,
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** The body of an answer with this status. @throws Error with the answer for any other. */
  async expect<T>(status: number, method: string, path: string, options?: BrowserRequest): Promise<T> {
    const answer = await this.call(method, path, options);
    if (answer.status !== status) throw new Error(`${method} ${path} ${answer.status}: ${answer.text}`);
    return answer.body as T;
  }

  #send(
    method: string,
    path: string,
    body: string,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<BrowserAnswer> {
    const given = Object.fromEntries(
      Object.entries(headers).filter(([, value]) => value !== undefined && value !== ''),
    );
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: this.#port, method, path, headers: given as Record<string, string>, agent: false },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const isJson = response.headers['content-type']?.startsWith('application/json') === true;
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: isJson ? JSON.parse(text) : null,
              text,
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
