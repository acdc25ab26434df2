import type { Permission } from '@paper/contracts';
import type { ApiAnswer } from 'paper-trading-client';
import type { z } from 'zod';
import { envelopeSchema } from '../envelope.ts';
import type { ToolOutput } from '../envelope.ts';
import type { OrderSteps } from '../orders/order-steps.ts';
import type { Session } from '../sessions.ts';
import { answerOrToolError } from '../tool-error.ts';
import { inputSchemaOf, outputSchemaOf } from './json-schema.ts';
import type { JsonObjectSchema } from './json-schema.ts';

/** The context of a tool's call: the caller, and the two steps of an order. */
export interface ToolContext extends Session {
  readonly orderSteps: OrderSteps;
}

/** A type with all its parts readonly, as the client returns answers. */
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What a tool does to the exchange; its hints for clients follow from this. */
export type Effect = 'reads' | 'places' | 'cancels' | 'merges';

interface Declaration<I extends z.ZodObject, D extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** The text by which a model chooses among the tools. */
  readonly description: string;
  /** The permission that a key needs for the tool; null: every key has it. A key with trade also has view. */
  readonly needs: Permission | null;
  readonly effect: Effect;
  readonly input: I;
  /** The tool that describes the same arguments, so that the list of tools need not do it twice. Default: this tool. */
  readonly argumentsAsOf?: string;
  readonly data: D;
  readonly run: (input: z.output<I>, context: ToolContext) => Promise<ToolOutput<DeepReadonly<z.input<D>>>>;
}

export interface Tool extends Omit<Declaration<z.ZodObject, z.ZodType>, 'run'> {
  readonly listed: ListedTool;
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolOutput<unknown>>;
}

/** A tool in the protocol's form. */
export interface ListedTool extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly inputSchema: JsonObjectSchema;
  readonly outputSchema: JsonObjectSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
}

const HINTS: Readonly<Record<Effect, Readonly<Record<string, boolean>>>> = {
  reads: { readOnlyHint: true, openWorldHint: false },
  places: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  cancels: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  merges: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
};

/** Declares a tool. `run` gets what `input` accepts. */
export function defineTool<I extends z.ZodObject, D extends z.ZodType>(declared: Declaration<I, D>): Tool {
  const { argumentsAsOf, data, description, effect, input, name, title } = declared;
  return {
    ...declared,
    // The caller has checked the input by this schema.
    run: (given, context) => declared.run(given as z.output<I>, context),
    listed: {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(input, argumentsAsOf === undefined),
      outputSchema: outputSchemaOf(envelopeSchema(data)),
      annotations: HINTS[effect],
    },
  };
}

/** Declares a tool that reads; every key has it unless it `needs` a permission. */
export function defineRead<I extends z.ZodObject, D extends z.ZodType>(
  declared: Omit<Declaration<I, D>, 'effect' | 'needs'> & Partial<Pick<Declaration<I, D>, 'needs'>>,
): Tool {
  return defineTool({ needs: null, ...declared, effect: 'reads' });
}

export function permitsTool({ needs }: Pick<Tool, 'needs'>, permissions: readonly Permission[]): boolean {
  if (needs === null || permissions.includes(needs)) return true;
  return needs === 'view' && permissions.includes('trade');
}

export function resultOf<D>(
  { nextCursor, seq }: Pick<ApiAnswer<unknown>, 'nextCursor' | 'seq'>,
  data: D,
): ToolOutput<D> {
  return { data, journalSeq: seq, nextCursor };
}

/** A tool's result from a call of the API: its body, or what is made of it. @throws ToolError as `answered` */
export function found<T>(call: Promise<ApiAnswer<T>>): Promise<ToolOutput<T>>;
export function found<T, D>(call: Promise<ApiAnswer<T>>, dataOf: (body: T) => D): Promise<ToolOutput<D>>;
export async function found<T>(call: Promise<ApiAnswer<T>>, dataOf: (body: T) => unknown = (body) => body) {
  const answer = await answerOrToolError(call);
  return resultOf(answer, dataOf(answer.body));
}
