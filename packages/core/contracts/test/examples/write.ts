/** Records the examples of the OpenAPI document: `node --import tsx packages/core/contracts/test/examples/write.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXAMPLES_FILE, examplesText } from './recorded.ts';

mkdirSync(path.dirname(EXAMPLES_FILE), { recursive: true });
writeFileSync(EXAMPLES_FILE, examplesText());
