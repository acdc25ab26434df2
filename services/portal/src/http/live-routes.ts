import { ApiError, Unavailable } from '@paper/contracts';
import { pathOf, targetOf } from '@paper/http';
import type { Call } from '@paper/http';
import { z } from 'zod';
import { ownAccount } from '../keys/portal-keys.ts';
import type { PortalParts } from './portal-parts.ts';
import { assertSession } from './app.ts';
import { joinedStream } from './joined-stream.ts';
import type { Topic } from './topic.ts';
import type { PortalCall, RouteGroup } from './route.ts';

const PREFIX = '/portal/live/';
const PATH = `${PREFIX}stream`;
const ACCOUNT = '/api/stream/account';

/** A stream of prices (`pulse`) counts as dead after this silence; the API sends prices every 2 s. */
const PULSE_SILENT_MS = 8_000;
/** Any other stream counts as dead after this silence; the API sends a comment every 15 s. */
const SILENT_MS = 40_000;

const MARKETS_OF_STREAM = 100;
const MARKETS_MAX = 2 * MARKETS_OF_STREAM;
const BOOKS_MAX = 4;

const MARKET_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

const query = z.strictObject({
  marketIds: list(MARKETS_MAX).optional(),
  bookIds: list(BOOKS_MAX).optional(),
  account: z.literal('me', 'must be me').optional(),
});

/** Serves `/portal/live/stream`: prices, books and the person's account in one connection for each tab. */
export function liveRoutes(parts: PortalParts): RouteGroup {
  return {
    prefixes: [
      { prefix: PREFIX, pattern: PATH, worksWithoutSignIn: true, serve: (portalCall) => serve(parts, portalCall) },
    ],
  };
}

async function serve(parts: PortalParts, portalCall: PortalCall): Promise<void> {
  const { call, session } = portalCall;
  if (call.request.method !== 'GET' || pathOf(call.request) !== PATH) throw new ApiError('not_found', 'No such route');
  const { account, bookIds = [], marketIds = [] } = readQuery(call);
  if (account !== undefined) assertSession(session);
  const since = readPositions(call);
  const send = await senderOf(parts, portalCall);
  const topicOf = (name: string, path: string): Topic => ({
    name,
    silentMs: SILENT_MS,
    sharedAs: null,
    open: (until) => send(path, since.get(name) ?? null, until),
  });
  const topics: Topic[] = bookIds.map((id) => topicOf(`book:${id}`, `/api/stream/orderbook/${encodeURIComponent(id)}`));
  // Lists of the same markets share a stream, whatever their order.
  marketIds.sort();
  for (let from = 0; from < marketIds.length; from += MARKETS_OF_STREAM) {
    const ids = marketIds.slice(from, from + MARKETS_OF_STREAM).join(',');
    const pulse = topicOf('pulse', `/api/stream?marketIds=${encodeURIComponent(ids)}`);
    topics.push({ ...pulse, silentMs: PULSE_SILENT_MS, sharedAs: ids });
  }
  if (account !== undefined) topics.push(topicOf('account', ACCOUNT));
  if (topics.length === 0) {
    throw new ApiError('validation_failed', 'validation failure: give marketIds, bookIds or account');
  }
  const opened = session === null ? null : (cut: () => void) => parts.streams.add(session.id, cut);
  await joinedStream({ call, topics, sharedTopics: parts.sharedTopics, opened });
}

/** Returns a function that sends reads to the API, which count against the person; signed out against the address. */
async function senderOf({ apiRequests, apis, keys, logger }: PortalParts, { call, session }: PortalCall) {
  const send = (path: string, lastEventId: string | null, key: string | null, signal: AbortSignal) =>
    apiRequests.send({
      method: 'GET',
      url: new URL(path, apis.url()),
      headers: {
        accept: 'text/event-stream',
        'x-request-id': call.requestId,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
      },
      body: Buffer.alloc(0),
      client: call.address,
      isRepeatable: true,
      signal,
    });
  if (session === null) {
    return (path: string, lastEventId: string | null, signal: AbortSignal) => send(path, lastEventId, null, signal);
  }
  const owner = ownAccount(session.person);
  const publicKey = await keys.get(owner, 'everyday').then(
    ({ rawKey }) => rawKey,
    (error: unknown) => {
      // For example, an operator has closed the account. Prices and books remain public.
      logger.debug({ err: error }, 'public streams are read without the key of the person');
      return null;
    },
  );
  return async (path: string, lastEventId: string | null, signal: AbortSignal) => {
    if (path !== ACCOUNT) return send(path, lastEventId, publicKey, signal);
    const answer = await keys.use(owner, 'everyday', (key) => send(path, lastEventId, key, signal));
    if (answer.status !== 401) return answer;
    answer.resume();
    throw new Unavailable('The key of this account was revoked; try again');
  };
}

function readQuery({ request }: Call): z.output<typeof query> {
  const { searchParams } = targetOf(request);
  const given: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (name in given) throw refused(name, 'must be given once');
    given[name] = value;
  }
  const read = query.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refused(issue?.path.join('.') ?? '', issue?.message ?? 'is wrong');
}

/** The position of each topic as the page last had it: `Last-Event-ID: account=12 book:acme=34`. */
function readPositions({ request }: Call): ReadonlyMap<string, string> {
  const [text = '', ...more] = request.headersDistinct['last-event-id'] ?? [];
  if (more.length > 0) throw refused('Last-Event-ID', 'must be given once');
  const positions = text.split(' ').filter((part) => part !== '');
  return new Map(
    positions.map((part) => {
      const [, topic = '', id = ''] = /^(account|book:[A-Za-z0-9._:-]{1,100})=(\d{1,16})$/.exec(part) ?? [];
      if (topic === '') throw refused('Last-Event-ID', 'must be positions such as account=12 book:acme=34');
      return [topic, id];
    }),
  );
}

function list(max: number) {
  return z
    .string()
    .transform((text) => [...new Set(text.split(','))])
    .refine(
      (ids) => ids.length <= max && ids.every((id) => MARKET_ID.test(id)),
      `must be 1 to ${max} ids of markets with commas between`,
    );
}

function refused(name: string, rule: string): ApiError {
  return new ApiError('validation_failed', `validation failure: ${name}: ${rule}`);
}
