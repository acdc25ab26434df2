import { ERRORS } from '@paper/contracts';
import { table } from './made-part.ts';
import type { GeneratedSection } from './made-part.ts';

/** The table of docs/trade/errors.md, from the error table of the API. */
export function errorParts(): readonly GeneratedSection[] {
  const rows = Object.entries(ERRORS).map(([code, { status, when, remedy }]) => [
    `\`${code}\``,
    String(status),
    when,
    remedy,
  ]);
  return [
    { file: 'docs/trade/errors.md', name: 'error codes', text: table(['code', 'status', 'when', 'what to do'], rows) },
  ];
}
