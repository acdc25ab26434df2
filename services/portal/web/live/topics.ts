/** `pulse`, `account`, or `book:` with the id of a market. */
export type Topic = string;

export const PULSE: Topic = 'pulse';
export const ACCOUNT: Topic = 'account';

export function bookTopic(marketId: string): Topic {
  return `book:${marketId}`;
}
