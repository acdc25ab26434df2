import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FormerStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FormerHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { builtProgram } from '@paper/testkit/exchange';

/** A tool's result, as both generations of the library give it. */
export interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** An agent with a connection. */
export interface Agent {
  readonly tools: () => Promise<readonly { readonly name: string }[]>;
  readonly call: (name: string, input?: object) => Promise<ToolResult>;
  readonly close: () => Promise<void>;
}

/** Connects an agent. */
export type Connect = (at: AgentAt) => Promise<Agent>;

export interface AgentAt {
  readonly baseUrl: string;
  readonly key: string;
  readonly dataDir: string;
}

const INFO = { name: 'a-test', version: '1.0.0' };

/** A generation of the protocol over a transport. */
interface Connection {
  readonly name: string;
  readonly connect: Connect;
  /** Where its parts are covered by others, it is tried in CI, or with LONG_TESTS=1. */
  readonly runs: 'always' | 'in CI' | 'long';
}

/** Both generations of the protocol, by both libraries, over both transports. */
export const CONNECTIONS: readonly Connection[] = [
  {
    name: 'client 2.4 by the protocol of 2026-07-28 over HTTP',
    connect: (at) => ofPresent(overHttp(at), { pin: '2026-07-28' }),
    runs: 'always',
  },
  {
    name: 'client 2.4 by the older handshake over HTTP',
    connect: (at) => ofPresent(overHttp(at), 'legacy'),
    runs: 'long',
  },
  {
    name: 'client 2.4 by the protocol of 2026-07-28 over stdio',
    connect: async (at) => ofPresent(new StdioClientTransport(await stdioProgram(at)), { pin: '2026-07-28' }),
    runs: 'long',
  },
  {
    name: 'client 2.4, which negotiates, over stdio',
    connect: async (at) => ofPresent(new StdioClientTransport(await stdioProgram(at)), 'auto'),
    runs: 'long',
  },
  {
    name: 'sdk 1.32 over HTTP',
    connect: ({ baseUrl, key }) => ofFormer(new FormerHttpTransport(mcpUrl(baseUrl), withKey(key))),
    runs: 'in CI',
  },
  {
    name: 'sdk 1.32 over stdio',
    connect: async (at) => ofFormer(new FormerStdioTransport(await stdioProgram(at))),
    runs: 'always',
  },
];

/** An agent over HTTP, by the present protocol. */
export const connectOverHttp: Connect = (at) => ofPresent(overHttp(at), { pin: '2026-07-28' });

const mcpUrl = (baseUrl: string): URL => new URL('/mcp', baseUrl);

const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

const overHttp = ({ baseUrl, key }: AgentAt) => new StreamableHTTPClientTransport(mcpUrl(baseUrl), withKey(key));

async function stdioProgram({ baseUrl, dataDir, key }: AgentAt) {
  const { args } = await builtProgram('services/mcp/src/programs/mcp');
  return {
    command: process.execPath,
    args: [...args],
    env: { API_URL: baseUrl, API_KEY: key, DATA_DIR: dataDir, PATH: process.env['PATH'] ?? '' },
  };
}

type Mode = 'legacy' | 'auto' | { readonly pin: string };

async function ofPresent(transport: StreamableHTTPClientTransport | StdioClientTransport, mode: Mode): Promise<Agent> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input = {}) => client.callTool({ name, arguments: input as Record<string, unknown> }),
    close: () => client.close(),
  };
}

async function ofFormer(transport: FormerHttpTransport | FormerStdioTransport): Promise<Agent> {
  const client = new FormerClient(INFO);
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input = {}) =>
      (await client.callTool({ name, arguments: input as Record<string, unknown> })) as ToolResult,
    close: () => client.close(),
  };
}
