/** Writes the generated modules after a change of the API: `node --import tsx packages/clients/client-python/test/write-generated.ts`. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { openApiDocument } from '@paper/contracts';
import { pythonWith } from './python.ts';

const python = pythonWith('ast') ?? 'python3';
const generator = path.resolve(import.meta.dirname, '../tools/generate.py');
process.stdout.write(execFileSync(python, [generator, '-'], { input: JSON.stringify(openApiDocument()) }));
