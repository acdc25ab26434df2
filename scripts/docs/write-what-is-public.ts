/** Writes the made parts of SECURITY.md and FORMAT.md: `node --import tsx scripts/docs/write-what-is-public.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { madeParts, withPart } from './what-is-public.ts';

for (const part of madeParts()) writeFileSync(part.file, withPart(readFileSync(part.file, 'utf8'), part));
