import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAnswerContract } from '@paper/testkit/http';
import type { AnswerContract } from '@paper/testkit/http';
import type { Api } from './api.ts';
import { Coverage } from './coverage.ts';
import { collectIds } from './collect-ids.ts';
import { judge } from './judge.ts';
import type { Pool } from './pool.ts';
import type { Receipt } from './receipts.ts';
import type { FuzzRequest } from './request.ts';
import { send } from './send.ts';
import type { Reply } from './send.ts';

/** A wrong answer with its request, as text for people. */
export interface Finding {
  readonly index: number;
  readonly text: string;
}

export interface JudgedReply {
  readonly reply: Reply;
  readonly body: unknown;
}

export const CONNECTIONS = 16;
/** A run stops after this many findings, since further ones would repeat them. */
export const FINDINGS_MAX = 10;
const TRIES = 5;

/** Sends requests, judges each answer, and collects ids from it. */
export class Client {
  readonly coverage = new Coverage();
  readonly findings: Finding[] = [];
  readonly receipts: Receipt[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  readonly #contract: AnswerContract;
  readonly #trace = createHash('sha256');
  #newestSeq = 0;

  constructor(
    private readonly baseUrl: string,
    api: Api,
    private readonly pool: Pool,
  ) {
    this.#contract = createAnswerContract(api.document);
  }

  /** Sends a request and judges its answer. Returns null after a finding. Call `learn` next, in the order of requests. */
  async ask(request: FuzzRequest, index: number): Promise<JudgedReply | null> {
    const { kind, operation } = request;
    let reply: Reply | null = null;
    try {
      reply = await this.#answered(request);
      const body = judge(request, reply, this.#contract);
      this.coverage.add(operation?.id ?? null, kind, reply.status);
      return { reply, body };
    } catch (error) {
      if (reply !== null) this.coverage.add(operation?.id ?? null, kind, reply.status);
      this.findings.push({ index, text: describe(request, reply, error) });
      return null;
    }
  }

  learn(request: FuzzRequest, asked: JudgedReply, index: number): void {
    const { kind, operation } = request;
    const { body, reply } = asked;
    const code = (body as { readonly code?: string } | null)?.code ?? '';
    // Whether the answer is a 304 can depend on a board's timing, so a 304 counts as 200.
    const status = reply.status === 304 ? 200 : reply.status;
    this.#trace.update(`${index} ${operation?.id ?? '-'} ${kind} ${status} ${code}\n`);
    collectIds(request, reply, body, this.note(request, asked, index), this.pool);
  }

  /** Stores the receipt of an accepted command, and returns whether the command did anything. */
  note({ kind, operation }: FuzzRequest, { body, reply }: JudgedReply, index: number): boolean {
    if (operation?.isCommand !== true || reply.status !== 200) return false;
    // Commands of backtests are not in the journal.
    if (operation.template.startsWith('/api/backtests')) return false;
    const seq = Number(reply.headers.get('x-journal-seq'));
    if (seq === 0) return false;
    this.receipts.push({
      request: `request ${index} (${operation.id}, ${kind})`,
      seq,
      hash: reply.headers.get('x-journal-hash'),
      decisionsMax: decisionsMax(operation.id, body),
    });
    // A repeated answer has the sequence of the first answer.
    const appended = seq > this.#newestSeq;
    this.#newestSeq = Math.max(this.#newestSeq, seq);
    return appended;
  }

  /** A hash over all requests and answers. */
  trace(): string {
    return this.#trace.digest('hex').slice(0, 32);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Repeats a read that was answered 503 with Retry-After. */
  async #answered(request: FuzzRequest): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const reply = await send(this.baseUrl, request, this.#agent);
      if (reply.status !== 503 || request.operation?.isCommand !== false || tries === TRIES) return reply;
      this.coverage.add(request.operation.id, request.kind, 503);
      await sleep(1_000 * Number(reply.headers.get('retry-after') ?? 1));
    }
  }
}

/** The largest number of decisions of a command with this answer. */
function decisionsMax(operationId: string, body: unknown): number {
  const { cancelled = 0, results = [] } = body as {
    readonly cancelled?: number;
    readonly results?: readonly { readonly ok: boolean }[];
  };
  switch (operationId) {
    case 'runOperatorBatch':
    case 'placeOrders':
      return results.filter(({ ok }) => ok).length;
    case 'cancelOrders':
      return cancelled;
    case 'previewOrder':
      return 0;
    default:
      return 1;
  }
}

const SHOWN_MAX = 600;
const shown = (text: string): string =>
  text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}… (${text.length})` : text;

function describe(request: FuzzRequest, reply: Reply | null, error: unknown): string {
  const { body, bytes, headers, kind, method, operation, path } = request;
  const asked =
    bytes === undefined
      ? [
          `${method} ${shown(path)}`,
          ...headers.map(([name, value]) => `${name}: ${shown(value)}`),
          ...(body === null ? [] : ['', shown(JSON.stringify(body.toString()))]),
        ]
      : [shown(JSON.stringify(bytes.toString('latin1')))];
  const answered = reply === null ? ['no answer'] : [`${reply.status} ${shown(reply.text)}`];
  return [
    `${operation?.id ?? 'no operation'}, ${kind}: ${error instanceof Error ? error.message : String(error)}`,
    ...asked.map((line) => `  > ${line}`),
    ...answered.map((line) => `  < ${line}`),
  ].join('\n');
}
