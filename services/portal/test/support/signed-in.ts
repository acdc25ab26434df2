import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions } from '@paper/testkit/browser';

/** The password of people who sign up in tests. */
export const PASSWORD = 'correct horse battery staple';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** A browser's session with a portal, opened by calls instead of clicks. */
export class SignedIn {
  readonly #cookies = new Map<string, Cookie>();

  /** @param publicUrl the portal's address for people */
  constructor(private readonly publicUrl: string) {}

  /** Signs a new person up, whose sign-in name is their display name. */
  static async up(publicUrl: string, displayName: string): Promise<SignedIn> {
    const person = new SignedIn(publicUrl);
    const idempotencyKey = randomUUID();
    await person.call('POST', '/portal/sign-up', {
      signInName: displayName,
      displayName,
      password: PASSWORD,
      idempotencyKey,
    });
    return person;
  }

  /** The body of the answer. @throws Error with the answer unless its status is 2xx. */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(this.publicUrl + path, {
      method,
      headers: {
        origin: this.publicUrl,
        cookie: [...this.#cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, { name, value, path: /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/' });
    }
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** A browser's profile with this session. */
  get profile(): BrowserContextOptions {
    const { hostname } = new URL(this.publicUrl);
    const cookies = [...this.#cookies.values()].map((cookie) => ({
      ...cookie,
      domain: hostname,
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax' as const,
    }));
    return { storageState: { cookies, origins: [] } };
  }
}
