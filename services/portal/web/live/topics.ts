/** A stream of the one connection: `pulse`, `account`, or `book:` with the id of a market. */
export type Topic = string;

export const PULSE: Topic = 'pulse';
export const ACCOUNT: Topic = 'account';
const BOOK = 'book:';

export function bookTopic(marketId: string): Topic {
  return `${BOOK}${marketId}`;
}

/** The market of a book's topic; null for every other topic. */
export function marketOf(topic: Topic): string | null {
  return topic.startsWith(BOOK) ? topic.slice(BOOK.length) : null;
}
