import type { LiveState } from './live-state.ts';

const WORDS = { connecting: 'Connecting …', live: 'Live', reconnecting: 'Reconnecting …' } as const;

export function LiveBadge({ state: { kind, message } }: { readonly state: LiveState }) {
  return (
    <p class={`live is-${kind}`} role="status">
      {WORDS[kind]}
      {message !== null && <span class="live-reason"> {message}</span>}
    </p>
  );
}
