import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendApiRequest } from 'paper-trading-client';
import type { FleetKeyBody } from '@paper/contracts/accounts';
import { eventually, isLongSuiteLeftOut, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { builtProgram, describeSharedClientOfExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { PASSWORD, signUpBody } from '../support/people.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { TEST_SECRET } from '../support/test-portal.ts';

/** When the portal is killed: before its call reaches the exchange, or after, before it gets the answer. */
type When = 'before' | 'after';

/** The exchange behind a proxy that kills the portal at one of its calls, and sees every account that is opened. */
class KillingProxy {
  readonly #server = createServer();
  /** The ids in the answers to calls that open accounts. */
  readonly opened = new Set<string>();
  /** The calls since the last `arm`. */
  calls = 0;
  #kill: { readonly call: number; readonly when: When; readonly child: ChildProcess } | null = null;

  async start(exchange: RunningExchange): Promise<string> {
    this.#server.on('request', (request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        this.calls += 1;
        const due = this.#kill?.call === this.calls ? this.#kill : null;
        if (due?.when === 'before') {
          this.#strike(due.child);
          return;
        }
        const { authorization, 'idempotency-key': idempotencyKey } = request.headers;
        const answer = await sendApiRequest(exchange.baseUrl, {
          method: request.method ?? '',
          path: request.url ?? '',
          key: authorization?.replace(/^Bearer /, ''),
          idempotencyKey: idempotencyKey as string | undefined,
          body: chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString()),
        });
        // Asked again, it says that the id is taken.
        if (request.url === '/api/operator/accounts' && answer.status === 200) {
          this.opened.add((answer.body as { account: { id: string } }).account.id);
        }
        if (due !== null) this.#strike(due.child);
        else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
      })();
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Kills the child at this call from now on; null: at none. */
  arm(kill: { readonly call: number; readonly when: When; readonly child: ChildProcess } | null): void {
    this.calls = 0;
    this.#kill = kill;
    this.opened.clear();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #strike(child: ChildProcess): void {
    this.#kill = null;
    child.kill('SIGKILL');
  }
}

describeSharedClientOfExchange('a sign-up whose portal is killed', function (start) {
  if (isLongSuiteLeftOut()) return;
  this.timeout(120_000);
  const proxy = new KillingProxy();
  let exchange: RunningExchange;
  let database: TestDatabase;
  let apiUrl: string;
  let portal: { readonly child: ChildProcess; readonly url: string };

  const startPortal = async () => {
    const { args } = await builtProgram('services/portal/src/main');
    const [script = '', ...options] = args.toReversed();
    const child = fork(script, [], {
      execArgv: options,
      env: {
        ...process.env,
        PORT: '0',
        DATABASE_URL: database.connectionString,
        API_URL: apiUrl,
        PORTAL_TOKEN: exchange.operatorToken,
        PORTAL_SECRET: TEST_SECRET,
        SIGN_UPS_PER_HOUR: '1000',
        SIGN_UPS_PER_DAY: '1000',
        LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
      },
    });
    const started = once(child, 'message') as Promise<[{ readonly url: string }]>;
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the portal ended (${code}) before it listened`);
    });
    const [{ url }] = await Promise.race([started, ended]);
    // Later, it ends by the kill.
    ended.catch(() => undefined);
    return { child, url: `http://localhost:${new URL(url).port}` };
  };
  const browser = () => new TestBrowser(portal.url, Number(new URL(portal.url).port));

  before(async () => {
    exchange = await start();
    database = await testDatabase();
    apiUrl = await proxy.start(exchange);
    portal = await startPortal();
  });
  after(async () => {
    portal.child.kill('SIGKILL');
    proxy.close();
    await database.close();
    await exchange.stop();
  });

  const isOpen = async (name: string): Promise<boolean> => {
    const answer = await browser().call('POST', '/portal/sign-in', { body: { name, password: PASSWORD } });
    if (answer.status !== 200 && answer.status !== 503) throw new Error(`${answer.status}: ${answer.text}`);
    return answer.status === 200;
  };

  /** Given the kill, the next portal completes the sign-up: one account, and no key but its own two. */
  const completes = async (name: string, body: object): Promise<void> => {
    await eventually('the account is open', () => isOpen(name));
    const again = browser();
    const { person } = await again.expect<{ person: { accountId: string } }>(201, 'POST', '/portal/sign-up', { body });
    expect([...proxy.opened]).to.have.length(1);
    for (const id of proxy.opened) expect(id).to.equal(person.accountId);
    const { keys } = await again.expect<{ keys: (FleetKeyBody & { isPortals: boolean })[] }>(
      200,
      'GET',
      '/portal/keys',
    );
    const live = keys.filter(({ revokedAt }) => revokedAt === null);
    expect(live.map(({ isPortals }) => isPortals)).to.deep.equal([true, true]);
    await again.expect(200, 'GET', '/portal/as/me/me');
  };

  it('makes so many calls where it is not killed', async () => {
    proxy.arm(null);
    await browser().expect(201, 'POST', '/portal/sign-up', { body: signUpBody('unharmed') });
    // The account, two keys, the list of keys, and the end of the first key.
    expect(proxy.calls).to.equal(5);
  });

  for (let call = 1; call <= 5; call += 1) {
    for (const when of ['before', 'after'] as const) {
      it(`${when} its call ${call} to the exchange, has one account`, async () => {
        const name = `person-${call}-${when}`;
        const body = signUpBody(name);
        proxy.arm({ call, when, child: portal.child });
        const ended = once(portal.child, 'exit');
        const sent = browser()
          .call('POST', '/portal/sign-up', { body })
          .then(
            ({ status }) => `answered ${status}`,
            () => 'lost',
          );
        await ended;
        expect(await sent).to.equal('lost');
        portal = await startPortal();
        await completes(name, body);
      });
    }
  }
});
