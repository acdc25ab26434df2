import { endpoints } from '@paper/contracts';
import { describedCommands, describedEvents } from '@paper/journal';
import { z } from 'zod';
import { table } from './generated-section.ts';
import type { GeneratedSection } from './generated-section.ts';

/** Tables of docs/operate/security.md and FORMAT.md with the public and private fields, made from the declarations. */

export function publicSections(): readonly GeneratedSection[] {
  return [
    { file: 'docs/operate/security.md', name: 'what the public journal shows', text: journalTable() },
    { file: 'docs/operate/security.md', name: 'what anybody is answered', text: answersTable() },
    { file: 'packages/core/journal/FORMAT.md', name: 'private keys', text: privateKeysTable() },
  ];
}

/** A newer version publishes fewer fields, so the public fields depend on the version in which an event was written. */
function journalTable(): string {
  const rows = describedEvents().map(({ type, version, publicFields, privateFields }) => [
    type,
    String(version),
    listed(publicFields),
    listed(privateFields),
  ]);
  return table(['event', 'version', 'everybody reads', 'private'], rows);
}

function privateKeysTable(): string {
  const events = describedEvents().filter(({ privateFields }) => privateFields.length > 0);
  const rows = [
    ...events.map(({ type, version, privateFields }) => [`event ${type}`, String(version), listed(privateFields)]),
    ...describedCommands().map(({ type, version, privateFields }) => [
      `command ${type}`,
      String(version),
      listed(privateFields),
    ]),
    ['every other command', 'all', listed(['by', 'idempotency'])],
  ];
  return table(['of', 'version', 'private keys'], rows);
}

/** Every endpoint that needs no key, and the fields of its answers. */
function answersTable(): string {
  const rows = Object.values(endpoints)
    .filter(({ auth }) => auth === 'public')
    .map(({ answer, path }) => [`\`${path}\``, listed(fieldsOf(z.toJSONSchema(answer, { unrepresentable: 'any' })))]);
  return table(['path', 'fields of its answers'], rows);
}

/** The names of all fields anywhere in a schema, each once. */
function fieldsOf(schema: unknown): readonly string[] {
  const names = new Set<string>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) names.add(name);
      look(value);
    }
  };
  look(schema);
  return [...names].sort();
}

const listed = (names: readonly string[]): string =>
  names.length === 0 ? '–' : names.map((name) => `\`${name}\``).join(', ');
