import { forwardTo } from './port.ts';
import type { Journal, StoredEvent } from './port.ts';

const NAME = '"correlationId":"';

/**
 * The correlation id of a stored event, or null, found without parsing its text. In a canonical text no string has an
 * unescaped quotation mark, and no command has a field of that name, so the first match is the envelope's field.
 */
export function correlationIdIn({ publicText }: Pick<StoredEvent, 'publicText'>): string | null {
  const start = publicText.indexOf(NAME);
  if (start === -1) return null;
  const from = start + NAME.length;
  return publicText.slice(from, publicText.indexOf('"', from));
}

/** Wraps a journal: `onEvent` gets each followed event with its correlation id before the reader does. */
export function observeFollow(journal: Journal, onEvent: (seq: number, correlationId: string) => void): Journal {
  return {
    ...forwardTo(journal),
    async *follow(fromSeq, options) {
      for await (const page of journal.follow(fromSeq, options)) {
        for (const stored of page) {
          const correlationId = correlationIdIn(stored);
          if (correlationId !== null) onEvent(stored.seq, correlationId);
        }
        yield page;
      }
    },
  };
}
