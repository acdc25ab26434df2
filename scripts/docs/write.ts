/** Writes the generated sections of the documentation: `node --import tsx scripts/docs/write.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withPart } from './made-part.ts';
import { madeParts } from './made-parts.ts';

for (const part of madeParts()) writeFileSync(part.file, withPart(readFileSync(part.file, 'utf8'), part));
