/** Writes the generated sections of the documentation, and the settings that npm commands show as help: `node --import tsx scripts/docs/write.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { replaceSection } from './generated-section.ts';
import { generatedSections } from './generated-sections.ts';
import { helpSettings } from './settings.ts';

for (const section of generatedSections()) {
  writeFileSync(section.file, replaceSection(readFileSync(section.file, 'utf8'), section));
}
writeFileSync('packages/kit/commands/src/generated/settings.mjs', helpSettings());
