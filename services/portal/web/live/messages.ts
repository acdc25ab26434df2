import type { AccountEventBody, PulseEntryBody } from '@paper/contracts';
import type { BookStreamEvent } from './live-book.ts';
import type { LiveState } from './live-state.ts';
import type { Wants } from './stream-plan.ts';

/** What the leading tab says to all tabs, itself too. */
export type LeaderMessage =
  | { readonly kind: 'pulse'; readonly entries: readonly PulseEntryBody[] }
  | { readonly kind: 'book'; readonly marketId: string; readonly events: readonly BookStreamEvent[] }
  | {
      readonly kind: 'account';
      readonly accountId: string;
      readonly events: readonly AccountEventBody[];
      /** Events before these may be missing: what depends on them is to be read again. */
      readonly isGap: boolean;
    }
  | { readonly kind: 'states'; readonly states: LiveStates }
  /** The tab leads now and asks for the wants of the others. */
  | { readonly kind: 'leads' };

/** What a tab says to the leading one. */
export type TabMessage =
  | { readonly kind: 'wants'; readonly tab: string; readonly wants: Wants }
  /** The tab is closed or hidden. */
  | { readonly kind: 'gone'; readonly tab: string };

export type LiveMessage = LeaderMessage | TabMessage;

/** The states of all connections. */
export interface LiveStates {
  readonly pulse: LiveState;
  /** By market. */
  readonly books: Readonly<Record<string, LiveState>>;
  readonly account: LiveState;
  readonly isCrowded: boolean;
}
