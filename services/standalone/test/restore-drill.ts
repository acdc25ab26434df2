import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { operatorClient } from '@paper/testkit/http';
import { createClient } from 'paper-trading-client';

/** What an answer proves: the journal has the event with this hash at this sequence. */
export interface Receipt {
  readonly seq: number;
  readonly hash: string;
}

/** Places orders, one after the other, until it is stopped; gives the receipts of those that were answered so far. */
export function startLoad(baseUrl: string, key: string): { readonly receipts: Receipt[]; stop(): Promise<void> } {
  const client = createClient({ baseUrl, key });
  const receipts: Receipt[] = [];
  let running = true;
  const place = async (): Promise<void> => {
    for (let nth = 0; running; nth += 1) {
      const body = { marketId: 'm', outcome: 'yes', price: (5 + (nth % 90)) / 100, quantity: 1 } as const;
      const { seq, response } = await client.request('placeOrder', { body });
      const hash = response.headers.get('x-journal-hash');
      if (response.status === 200 && hash !== null) receipts.push({ hash, seq });
    }
  };
  const placing = Promise.all([place(), place(), place()]);
  return {
    receipts,
    stop: async () => {
      running = false;
      await placing;
    },
  };
}

/** A person in a browser: the session's cookie, and the Origin of a page. */
export class Person {
  #cookie = '';

  constructor(
    public url: string,
    readonly name: string,
  ) {}

  async call(
    method: string,
    where: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const answer = await fetch(`${this.url}${where}`, {
      method,
      headers: {
        cookie: this.#cookie,
        origin: this.url,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
    if (set.length > 0) this.#cookie = set.join('; ');
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  }

  signUp() {
    const { name } = this;
    return this.call('POST', '/portal/sign-up', {
      signInName: name,
      displayName: `Shown ${name}`,
      password: 'a passphrase of theirs',
      idempotencyKey: randomUUID(),
    });
  }

  signIn() {
    return this.call('POST', '/portal/sign-in', { name: this.name, password: 'a passphrase of theirs' });
  }
}

/** Two people who have signed up at this address, and have traded with each other: from then on they are ranked. */
export async function rankedPeople(
  url: string,
  operator: ReturnType<typeof operatorClient>,
): Promise<{ readonly leaver: Person; readonly stayer: Person }> {
  const people = { leaver: new Person(url, 'leaver'), stayer: new Person(url, 'stayer') };
  for (const person of Object.values(people)) expect((await person.signUp()).status).to.equal(201);
  await operator.list('n');
  for (const [person, outcome] of [
    [people.leaver, 'yes'],
    [people.stayer, 'no'],
  ] as const) {
    const order = { marketId: 'n', outcome, price: 0.5, quantity: 1 };
    expect((await person.call('POST', '/portal/as/me/orders', order)).status).to.equal(200);
  }
  return people;
}
