import { sendApiRequest } from 'paper-trading-client';
import { answerBody, createAnswerContract } from './answer-contract.ts';
import type { AnswerContract, CheckedAnswer, ServedDocument } from './answer-contract.ts';

export interface CheckedRequest {
  /** The key, sent as `Authorization: Bearer …`. */
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type CheckedClient = Awaited<ReturnType<typeof createCheckedClient>>;

/** The contracts by the text of their documents. Most services serve the same document, and it takes long to compile. */
const contracts = new Map<string, AnswerContract>();

/** A client of the public API that checks every answer against the document that the service serves. */
export async function createCheckedClient(baseUrl: string) {
  const served = await sendApiRequest(baseUrl, { method: 'GET', path: '/api/openapi' });
  const contract = contracts.get(served.text) ?? createAnswerContract(served.body as ServedDocument);
  contracts.set(served.text, contract);
  const validated = new Map<string, number>();

  /** Sends a request. @throws Error when the served document does not allow the answer */
  const request = async (method: string, path: string, sent: CheckedRequest = {}): Promise<CheckedAnswer> => {
    const answer = await sendApiRequest(baseUrl, { ...sent, method, path });
    const body = answerBody(answer.text, answer.headers.get('content-type') ?? '');
    const checked = { status: answer.status, headers: answer.headers, body };
    const name = contract.check(method, path, checked);
    validated.set(name, (validated.get(name) ?? 0) + 1);
    return checked;
  };

  return {
    baseUrl,
    request,
    /** Sends a request, and returns its body. @throws Error for a status other than 200, and as `request` */
    ok: async <T>(method: string, path: string, options?: CheckedRequest): Promise<T> => {
      const answer = await request(method, path, options);
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as T;
    },
    /** The number of validated answers, by `METHOD path status`. */
    validated: validated as ReadonlyMap<string, number>,
  };
}
