import { useRef } from 'preact/hooks';

/** `keyOf` returns the same Idempotency-Key for the same text until `settle`, so that a repeated call is done once. */
export function useIdempotencyKey(): { readonly keyOf: (text: string) => string; readonly settle: () => void } {
  const current = useRef<{ readonly text: string; readonly key: string } | null>(null);
  return {
    keyOf(text) {
      if (current.current?.text !== text) current.current = { text, key: newKey() };
      return current.current.key;
    },
    settle() {
      current.current = null;
    },
  };
}

/** A random key of 128 bits. `crypto.randomUUID` exists only in a secure context. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
