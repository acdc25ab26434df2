#!/usr/bin/env node
// Runs packages/clients/client-files/src/verify-journal.mjs, the file that services serve at /verify-journal.mjs.
import { fileURLToPath } from 'node:url';

const program = new URL('../packages/clients/client-files/src/verify-journal.mjs', import.meta.url);
process.argv[1] = fileURLToPath(program);
await import(program.href);
