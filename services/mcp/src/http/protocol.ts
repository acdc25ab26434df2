import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from '@paper/runtime';
import type { Session } from '../sessions.ts';
import { ToolServers } from '../tool-server.ts';
import type { ToolServerSettings } from '../tool-server.ts';
import type { ServeProtocol } from './app.ts';

/** The protocol over HTTP: of 2026-07-28, and of the older handshake without sessions. */
export interface HttpProtocol {
  readonly serve: ServeProtocol;
  /** Ends the requests that are under way. */
  readonly close: () => Promise<void>;
}

export function createHttpProtocol(settings: ToolServerSettings & { readonly logger: Logger }): HttpProtocol {
  const servers = new ToolServers(settings);
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const session = authInfo?.extra?.['session'] as Session | undefined;
      if (session === undefined) throw new Error('a request reached the protocol without its caller');
      return servers.create(() => Promise.resolve(session));
    },
    {
      // The tools of a key do not change while a client watches, so there is nothing to subscribe to.
      maxSubscriptions: 0,
      onerror: (error) => settings.logger.debug({ err: error }, 'a request was refused'),
    },
  );
  return {
    serve: (request, session) =>
      // The library checks no token: the caller was found before.
      handler.fetch(request, {
        authInfo: {
          token: '',
          clientId: session.me.keyId,
          scopes: [...session.me.permissions],
          extra: { session },
        },
      }),
    close: () => handler.close(),
  };
}
