/** The rules that a journal can violate. Alarms, reports and tests use these names. */
export type Rule =
  | 'events are contiguous'
  | 'time never goes back'
  | 'an event names what exists'
  | 'money is conserved'
  | 'yes = no = pairs'
  | 'best bid < best ask'
  | 'reserves are what the book says'
  | 'nobody is below zero'
  | 'price-time priority'
  | 'trades at the price of the maker'
  | "never worse than the taker's limit"
  | 'no self-trade'
  | 'quantities add up'
  | 'costs are right'
  | 'a decision is whole'
  | 'liquidity is not passed over'
  | 'limits hold'
  | 'settlement pays exactly'
  | 'a market takes orders only while active'
  | 'a post-only order takes nothing'
  | 'nothing outlives its time'
  | 'timers come first'
  | 'a key keeps its mandate'
  | 'a closed account does nothing';

/** An event, or a whole decision, broke a rule; the message names both. */
export class Violation extends Error {
  override readonly name = 'Violation';
  constructor(
    readonly rule: Rule,
    readonly seq: number,
    readonly event: { readonly type: string } | null,
    readonly detail: string,
  ) {
    super(`${rule}: ${detail} (at event ${seq}${event === null ? '' : `, ${JSON.stringify(event)}`})`);
  }
}
