import { validationMessage } from '@paper/contracts';
import { ToolError } from '../tool-error.ts';
import type { Tool } from './tool.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The checked arguments. @throws ToolError validation_failed; of an unknown argument its text names the known ones. */
export function checkedArguments({ input, listed }: Tool, given: unknown): Readonly<Record<string, unknown>> {
  const { data, error } = input.safeParse(given);
  if (error === undefined) return data;
  for (const issue of error.issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const at = [...issue.path, issue.keys[0] ?? ''].map(String).join('.');
    const known = namesAt(listed.inputSchema, issue.path).join(', ');
    const rule = known === '' ? 'takes no arguments' : `takes only ${known}`;
    const message = `validation failure: ${JSON.stringify(at.slice(0, 80))}: is no argument; ${listed.name} ${rule}`;
    throw new ToolError('validation_failed', message);
  }
  throw new ToolError('validation_failed', validationMessage(error));
}

function namesAt(input: Schema, path: readonly PropertyKey[]): readonly string[] {
  let schema = input;
  for (const segment of path) {
    const inner = typeof segment === 'number' ? schema['items'] : (schema['properties'] as Schema)[String(segment)];
    schema = inner as Schema;
  }
  return Object.keys(schema['properties'] as Schema);
}
