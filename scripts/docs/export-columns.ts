import { TABLES } from '@paper/exports';
import type { Columns } from '@paper/exports';
import { table } from './made-part.ts';
import type { GeneratedSection } from './made-part.ts';

/** The columns of docs/prove/exports.md, table by table. */
export function exportColumnSections(): readonly GeneratedSection[] {
  const sections = Object.entries<Columns>(TABLES).map(([name, columns]) => {
    const rows = Object.entries(columns).map(([column, { description, isNullable, type, unit }]) => [
      `\`${column}\``,
      isNullable ? `${type} or null` : type,
      unit ?? '',
      description,
    ]);
    return `**\`${name}\`**\n\n${table(['column', 'type', 'unit', 'meaning'], rows)}`;
  });
  return [{ file: 'docs/prove/exports.md', name: 'columns', text: sections.join('\n\n') }];
}
