/** Writes the client's types and tables: `npm run build:client-types`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generatedFiles } from './api-types.ts';

for (const [file, text] of await generatedFiles()) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
