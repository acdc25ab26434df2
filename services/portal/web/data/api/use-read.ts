import type { ReadAnswer } from '../../../src/pages/read-answer.ts';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { FirstReadsContext } from '../../base/boot.ts';
import { CallError, toCallError } from '../../base/call-error.ts';
import { apiGet, isAbort } from './calls.ts';

export interface Read<T> {
  /** Null before the first answer; stays while a later read fails. */
  readonly data: T | null;
  readonly seq: number | null;
  readonly next: string | null;
  readonly error: CallError | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

export interface UseReadOptions {
  /** The interval of reads while the tab is visible. Default: one read only. */
  readonly everyMs?: number | undefined;
  /** Each change causes another read, such as the `version` of `useAccount`; the former data stay until then. */
  readonly version?: number;
  /** An answer that is available already and is not read again. */
  readonly start?: ReadAnswer | undefined;
}

type State<T> = Omit<Read<T>, 'reload'> & { readonly path: string | null };

const RETRY_MS = 3_000;

/** Reads a path (null: nothing), again when it changes, and after a temporary failure (no answer, 429, 5xx). */
export function useRead<T>(path: string | null, { everyMs, version, start }: UseReadOptions = {}): Read<T> {
  const first = useContext(FirstReadsContext);
  const [state, setState] = useState(() => startOf<T>(path, start ?? first.get(path ?? '')));
  const [turn, setTurn] = useState(0);
  const isFresh = useRef(state.data !== null);
  const reload = useCallback(() => setTurn((before) => before + 1), []);

  useEffect(() => {
    if (path === null) return undefined;
    const aborting = new AbortController();
    const again = (afterMs: number): void => whenVisible(afterMs, () => void read(), aborting.signal);
    const read = async (): Promise<void> => {
      try {
        const { body, seq, next } = await apiGet<T>(path, { signal: aborting.signal });
        setState({ path, data: body, seq, next, error: null, isLoading: false });
        if (everyMs !== undefined) again(everyMs);
      } catch (error) {
        if (isAbort(error)) return;
        const failed = toCallError(error);
        setState((before) => ({ ...keep(before, path), error: failed, isLoading: false }));
        if (failed.isTransient) again(failed.retryAfterMs ?? RETRY_MS);
      }
    };
    if (isFresh.current) {
      isFresh.current = false;
      if (everyMs !== undefined) again(everyMs);
    } else {
      setState((before) => ({ ...keep(before, path), isLoading: true }));
      void read();
    }
    return () => aborting.abort();
  }, [path, everyMs, version, turn]);

  // The answer to another path must not be shown for this path.
  const shown = state.path === path ? state : startOf<T>(path, undefined);
  return { ...shown, reload };
}

/** Calls `work` after this time once the tab is visible, unless the signal aborts. */
export function whenVisible(afterMs: number, work: () => void, signal: AbortSignal): void {
  window.setTimeout(() => {
    if (signal.aborted) return;
    if (document.visibilityState === 'visible') work();
    else document.addEventListener('visibilitychange', () => whenVisible(0, work, signal), { once: true, signal });
  }, afterMs);
}

function startOf<T>(path: string | null, first: ReadAnswer | undefined): State<T> {
  if (first === undefined) return { path, data: null, seq: null, next: null, error: null, isLoading: path !== null };
  const { body, seq, next, missing } = first;
  const error = missing === undefined ? null : new CallError(missing.code, missing.error, 404);
  return { path, data: body as T | null, seq, next, error, isLoading: false };
}

function keep<T>(before: State<T>, path: string): State<T> {
  return before.path === path ? before : startOf<T>(path, undefined);
}
