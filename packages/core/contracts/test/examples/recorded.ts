import path from 'node:path';
import { VERSION } from '../../src/version.ts';
import { examples } from './examples.ts';

/** The recorded examples, which the OpenAPI document shows. */
export const EXAMPLES_FILE = path.join(import.meta.dirname, '../../src/generated/examples.ts');

const HEADER = `// Recorded by \`node --import tsx packages/core/contracts/test/examples/write.ts\`. Do not edit.

import type { EndpointExample } from '../endpoint.ts';
import type { EndpointId } from '../endpoints.ts';
import { VERSION } from '../version.ts';

/** An example of each endpoint. */
export const EXAMPLES: Readonly<Record<EndpointId, EndpointExample>> = {
`;

/** The content of the file: a line an endpoint. */
export function examplesText(): string {
  const lines = Object.entries(examples).map(([id, example]) => `  ${id}: ${JSON.stringify(example)},\n`);
  const text = lines.join('').replaceAll(`"version":${JSON.stringify(VERSION)}`, '"version":VERSION');
  return `${HEADER}${text}};\n`;
}
