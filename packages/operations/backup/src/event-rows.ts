import type { StoredEvent } from '@paper/journal';
import { BackupError } from './backup-error.ts';

/** The columns of `journal.events`, in the order in which `eventRow` writes them. */
export const EVENT_COLUMNS = ['shard', 'seq', 'id', 'type', 'public_text', 'private_text', 'hash'] as const;
const NULL = '\\N';

export function eventRow(shard: string, event: StoredEvent): string {
  const { hash, id, privateText, publicText, seq, type } = event;
  const fields = [shard, String(seq), id, type, publicText, privateText, hash];
  return `${fields.map((field) => (field === null ? NULL : escaped(field))).join('\t')}\n`;
}

/** Parses rows of `journal.events` in the text format of COPY. @throws BackupError for an invalid row. */
export async function* eventsOf(
  rows: AsyncIterable<Uint8Array>,
  columns: readonly string[],
): AsyncGenerator<StoredEvent & { readonly shard: string }> {
  const at = Object.fromEntries(EVENT_COLUMNS.map((name) => [name, columns.indexOf(name)]));
  for await (const line of linesOf(rows)) {
    const fields = line.split('\t');
    const text = (name: (typeof EVENT_COLUMNS)[number]): string => {
      const field = fields[at[name] ?? -1];
      if (field === undefined) throw new BackupError(`A row of journal.events has no ${name}.`);
      return unescaped(field);
    };
    const privateField = fields[at['private_text'] ?? -1];
    yield {
      shard: text('shard'),
      seq: Number(text('seq')),
      id: text('id'),
      type: text('type'),
      publicText: text('public_text'),
      privateText: privateField === NULL ? null : text('private_text'),
      hash: text('hash'),
    };
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new BackupError('The last row of journal.events is cut off.');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};
const UNESCAPES = new Map(Object.entries(ESCAPES).map(([plain, written]) => [written, plain]));
const escaped = (text: string): string => text.replace(/[\\\b\f\n\r\t\v]/g, (found) => ESCAPES[found] ?? found);

const unescaped = (text: string): string =>
  text.includes('\\') ? text.replace(/\\./g, (found) => UNESCAPES.get(found) ?? found.slice(1)) : text;
