import type { RequestListener } from 'node:http';
import { Unavailable } from '@paper/contracts';
import { createMcpApp, MCP_PATH } from './http/app.ts';
import type { McpAppSettings } from './http/app.ts';
import { HostNames } from './http/names.ts';
import type { HttpProtocol } from './http/protocol.ts';
import { Sessions } from './sessions.ts';

export interface McpOptions extends Omit<McpAppSettings, 'names' | 'protocol' | 'sessions'> {
  /** The secrets of prepared orders: the first signs, all are accepted. At least one. */
  readonly secrets: readonly string[];
  /** Further host names that clients use, besides this machine's and the public address. */
  readonly hosts: readonly string[];
}

/** The addresses of an MCP server that is about to serve. */
export interface McpAddresses {
  /** The address of the API, as seen from here. */
  readonly apiUrl: string;
  /** The address that people use; null if there is none. */
  readonly publicUrl: string | null;
}

/** The MCP server over HTTP. */
export interface Mcp {
  readonly handles: (path: string) => boolean;
  readonly listener: RequestListener;
  /** Begins to serve. Before that, tools answer that the service is unavailable. */
  readonly start: (addresses: McpAddresses) => void;
  /** Loads the protocol's library, for which the first request would otherwise wait. */
  readonly load: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Creates the MCP server, which is a client of the API like any other and stores nothing. */
export function createMcp(options: McpOptions): Mcp {
  let apiUrl: string | null = null;
  let names: HostNames | null = null;
  let protocol: Promise<HttpProtocol> | null = null;
  const load = (): Promise<HttpProtocol> => {
    // The library is loaded late: that takes a fifth of a second, and most starts of a standalone do not need it.
    protocol ??= import('./http/protocol.ts').then(({ createHttpProtocol }) => createHttpProtocol(options));
    return protocol;
  };
  const sessions = new Sessions(() => {
    if (apiUrl === null) throw new Unavailable('The service is starting');
    return apiUrl;
  });
  return {
    handles: (path) => path === MCP_PATH,
    listener: createMcpApp({ ...options, protocol: load, sessions, names: () => names }),
    start({ apiUrl: api, publicUrl }) {
      apiUrl = api;
      names = new HostNames([...options.hosts, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])]);
    },
    async load() {
      await load();
    },
    async stop() {
      await (await protocol)?.close();
    },
  };
}
