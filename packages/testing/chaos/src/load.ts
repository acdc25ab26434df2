import type { Random } from '@paper/testkit';
import { Client } from './client.ts';
import type { Findings } from './findings.ts';
import type { Judge } from './judge.ts';
import { Operator } from './operator.ts';
import { Trader } from './trader.ts';

/** Several markets at a time, so that books are deep and some markets are being settled. */
const TRADERS = 6;
const MARKETS = 6;

export interface LoadOptions {
  readonly baseUrl: string;
  readonly operatorToken: string;
  readonly judge: Judge;
  readonly findings: Findings;
  /** Returns a separate generator for each client, since they run concurrently. */
  readonly randomOf: (client: string) => Random;
}

/** Clients that keep sending whatever happens to the service, each with one request in flight. */
export class Load {
  readonly #clients: Client[] = [];
  readonly #traders: Trader[] = [];
  readonly #ends: Promise<void>[] = [];
  readonly #waiting = new Set<() => void>();
  #wanted = true;
  #acknowledgedMs = performance.now();

  private constructor() {}

  static async start({ baseUrl, findings, judge, operatorToken, randomOf }: LoadOptions): Promise<Load> {
    const load = new Load();
    const join = (name: string): Client => {
      const client = new Client(name, baseUrl, judge, findings, () => load.#noteAcknowledged());
      load.#clients.push(client);
      return client;
    };
    const operator = new Operator(join('operator'), operatorToken, randomOf('operator'));
    for (let n = 0; n < MARKETS; n += 1) await operator.list();
    for (let n = 0; n < TRADERS; n += 1) {
      const name = `trader-${n}`;
      const apiKey = await operator.open(name);
      load.#traders.push(new Trader(join(name), apiKey, randomOf(name), () => operator.active));
    }
    load.#ends.push(...[operator, ...load.#traders].map((one) => one.run(() => load.#wanted)));
    return load;
  }

  /**
   * Resolves when every client has had a command acknowledged that it sent after this moment of `performance.now()`,
   * and every trader has read its portfolio since.
   */
  async servedSince(sinceMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!this.#clients.every(({ sentMs }) => sentMs > sinceMs)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
    await this.look();
  }

  /** Reads every trader's portfolio, which must be as new as all answers so far. */
  async look(): Promise<void> {
    await Promise.all(this.#traders.map((trader) => trader.look()));
  }

  /** Whether after this moment every client got the answer that its command cannot be decided now. */
  refusedSince(sinceMs: number): boolean {
    return this.#clients.every(({ refusedMs }) => refusedMs > sinceMs);
  }

  /** Whether any client has had a command acknowledged that it sent after this moment. */
  acknowledgedSince(sinceMs: number): boolean {
    return this.#clients.some(({ sentMs }) => sentMs > sinceMs);
  }

  /** The time since any client's last acknowledged command. */
  quietMs(): number {
    return performance.now() - this.#acknowledgedMs;
  }

  /** Sends no new commands; resolves when each sent command has its answer. */
  async stop(): Promise<void> {
    this.#wanted = false;
    await Promise.all(this.#ends);
  }

  #noteAcknowledged(): void {
    this.#acknowledgedMs = performance.now();
    for (const look of this.#waiting) look();
  }
}
