import { Unavailable } from '@paper/contracts';
import { createMcpApp, MCP_PATH } from './http/app.ts';
import type { McpAppSettings } from './http/app.ts';
import { HostNames } from './http/names.ts';
import type { HttpProtocol } from './http/protocol.ts';
import { Sessions } from './sessions.ts';

interface McpOptions extends Omit<McpAppSettings, 'names' | 'protocol' | 'sessions'> {
  /** The secrets of prepared orders: the first signs, all are accepted. At least one. */
  readonly secrets: readonly string[];
  /** Further host names that clients use, besides this machine's and the public address. */
  readonly hosts: readonly string[];
}

/** Creates the MCP server over HTTP, which is a client of the API like any other and stores nothing. */
export function createMcp(options: McpOptions) {
  let apiUrl: string | null = null;
  let names: HostNames | null = null;
  let protocol: Promise<HttpProtocol> | null = null;
  // The library is loaded late: that takes a fifth of a second, and most starts of a standalone do not need it.
  const load = (): Promise<HttpProtocol> =>
    (protocol ??= import('./http/protocol.ts').then(({ createHttpProtocol }) => createHttpProtocol(options)));
  const sessions = new Sessions(() => {
    if (apiUrl === null) throw new Unavailable('The service is starting');
    return apiUrl;
  });
  return {
    handles: (path: string): boolean => path === MCP_PATH,
    listener: createMcpApp({ ...options, protocol: load, sessions, names: () => names }),
    /**
     * Begins to serve: before that, tools answer that the service is unavailable. `apiUrl` is the API's address as seen
     * from here, `publicUrl` the address that people use; null if there is none.
     */
    start({ apiUrl: api, publicUrl }: { readonly apiUrl: string; readonly publicUrl: string | null }): void {
      apiUrl = api;
      names = new HostNames([...options.hosts, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])]);
    },
    /** Loads the protocol's library, for which the first request would otherwise wait. */
    async load(): Promise<void> {
      await load();
    },
    async stop(): Promise<void> {
      await (await protocol)?.close();
    },
  };
}
