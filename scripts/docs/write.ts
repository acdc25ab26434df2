/** Writes the generated sections of the documentation, and the settings that npm commands show as help: `node --import tsx scripts/docs/write.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withPart } from './made-part.ts';
import { generatedSections } from './made-parts.ts';
import { helpSettings } from './settings.ts';

for (const part of generatedSections()) writeFileSync(part.file, withPart(readFileSync(part.file, 'utf8'), part));
writeFileSync('packages/kit/commands/src/generated/settings.mjs', helpSettings());
