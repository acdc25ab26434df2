import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Session } from '../sessions.ts';
import { listingOf } from '../tools/tools.ts';
import { ToolServers } from '../tool-server.ts';
import type { ToolServerSettings } from '../tool-server.ts';
import type { Protocol, ProtocolRequest } from './app.ts';
import { ListingAnswers } from './listing-answers.ts';

export type HttpProtocol = ReturnType<typeof createHttpProtocol>;

/** The size of an answer that costs one unit, approximately. */
const BYTES_PER_UNIT = 4_096;

/** The protocol over HTTP: version 2026-07-28, and the older handshake without sessions. */
export function createHttpProtocol(settings: ToolServerSettings) {
  const servers = new ToolServers(settings);
  const answers = new ListingAnswers();
  const handler = createMcpHandler(({ authInfo }) => servers.create(findIn(authInfo?.extra)), {
    // The tools of a key do not change while a client watches, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => settings.logger.debug({ err: error }, 'a request was refused'),
  });
  const handle = ({ find, request }: ProtocolRequest, message: object): Promise<Response> =>
    // The library checks no token, since the caller was already found. The body was already parsed: given the text, the
    // library would accept a batch.
    handler.fetch(request, { authInfo: { token: '', clientId: '', scopes: [], extra: { find } }, parsedBody: message });
  return {
    costOf: (message, permissions) =>
      methodOf(message) === 'tools/list' ? Math.ceil(listingOf(permissions).bytes / BYTES_PER_UNIT) : 1,
    async serve(received) {
      const { find, message, request } = received;
      const session = isListing(message) ? await find().catch(() => null) : null;
      if (session === null || !isListing(message)) return handle(received, message);
      return answers.answer(request, message, session.me.permissions, (one) => handle(received, one));
    },
    close: () => handler.close(),
  } satisfies Protocol & { readonly close: () => Promise<void> };
}

function methodOf(message: object): unknown {
  return (message as { readonly method?: unknown }).method;
}

/** Whether a message asks for the list of tools, with a valid id. */
function isListing(message: object): message is { readonly id: string | number } {
  const { id } = message as { readonly id?: unknown };
  return methodOf(message) === 'tools/list' && (typeof id === 'string' || Number.isSafeInteger(id));
}

function findIn(extra: Readonly<Record<string, unknown>> | undefined): () => Promise<Session> {
  const find = extra?.['find'];
  if (typeof find !== 'function') throw new Error('a request reached the protocol without its caller');
  return find as () => Promise<Session>;
}
