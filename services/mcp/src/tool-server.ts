import { VERSION } from '@paper/contracts';
import type { Logger, Metrics } from '@paper/runtime';
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallToolResult, Tool as ProtocolTool } from '@modelcontextprotocol/server';
import { escapedJson, inEnvelope, NOTICE } from './envelope.ts';
import { Confirmations } from './orders/confirmation.ts';
import { OrderSteps } from './orders/order-steps.ts';
import type { Session } from './sessions.ts';
import { ToolError } from './tool-error.ts';
import { checkedArguments } from './tools/arguments.ts';
import { permitsTool } from './tools/tool.ts';
import type { Tool } from './tools/tool.ts';
import { listingOf, tools } from './tools/tools.ts';

/** The advice for the model, sent at the beginning of a connection. */
const INSTRUCTIONS = `An exchange for simulated money on yes/no markets. A share of the outcome that comes true pays $1, so a price is a probability.
Find markets with search_markets, look at get_timeline and get_order_book, and trade in two steps: prepare_order shows exactly what would happen, confirm_order does it. Several orders that belong together go through prepare_orders and confirm_orders. A text places each of its orders at most once, however often it is confirmed.
A result with isError has a stable code, what is wrong, and what to do next.
${NOTICE}`;

export interface ToolServerSettings {
  /** The secrets of prepared orders: the first signs, all are accepted. At least one. */
  readonly secrets: readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Makes a server for each connection, with the same tools. The caller's key decides which of them the caller has. */
export class ToolServers {
  readonly #orderSteps: OrderSteps;
  readonly #count: (tool: string, result: string) => void;

  constructor(private readonly settings: ToolServerSettings) {
    this.#orderSteps = new OrderSteps(new Confirmations(settings.secrets), Date.now);
    const calls = settings.metrics.counter('mcp_tool_calls_total', 'Calls of tools, by their result: ok or the code', [
      'tool',
      'result',
    ]);
    this.#count = (tool, result) => calls.inc({ tool, result });
  }

  /** Creates a server for one connection, or one request over HTTP; `find` throws ToolError if there is no caller. */
  create(find: () => Promise<Session>): McpServer {
    const mcp = new McpServer(
      { name: 'paper-trading', title: 'Paper Trading Service', version: VERSION },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    // The tools are not registered one by one: the schemas would be converted again for each request over HTTP, and
    // errors of inputs would have no code.
    mcp.server.setRequestHandler('tools/list', async () => {
      const { me } = await find().catch(asProtocolError);
      return { tools: listingOf(me.permissions).tools as unknown as ProtocolTool[] };
    });
    mcp.server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool of this name; tools/list has all`);
      }
      const result = await this.#call(tool, params.arguments ?? {}, find);
      return mcp.server.projectCallToolResult(result, tool.listed.outputSchema);
    });
    return mcp;
  }

  async #call(tool: Tool, given: unknown, find: () => Promise<Session>): Promise<CallToolResult> {
    try {
      const session = await find();
      if (!permitsTool(tool, session.me.permissions)) {
        throw new ToolError('forbidden', `This key has no permission to ${tool.needs ?? ''}, which the tool needs`);
      }
      const input = checkedArguments(tool, given);
      const found = await tool.run(input, { ...session, orderSteps: this.#orderSteps });
      this.#count(tool.name, 'ok');
      const result = inEnvelope(found);
      return { content: [{ type: 'text', text: escapedJson(result) }], structuredContent: result };
    } catch (error) {
      return this.#failure(tool, error);
    }
  }

  #failure(tool: Tool, error: unknown): CallToolResult {
    const known = error instanceof ToolError ? error : new ToolError('internal', 'Internal error');
    if (known !== error) this.settings.logger.error({ err: error, tool: tool.name }, 'a tool failed');
    this.#count(tool.name, known.code);
    return { content: [{ type: 'text', text: escapedJson(known.body) }], isError: true };
  }
}

/** Converts the error of a request that is not a tool call, and so has no result to carry the error. */
function asProtocolError(error: unknown): never {
  if (!(error instanceof ToolError)) throw error;
  throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.message}. ${error.remedy}`, error.body);
}
