import { useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { useProof } from '../session/proof.tsx';

/** A change of one click: which one runs, and why the newest failed. */
export interface Change {
  /** The id of the thing that is being changed; null: no change runs. */
  readonly busy: string | null;
  readonly failure: string | null;
  /** Runs a change of the thing with this id; asks for the person's proof where the service demands it. */
  readonly run: (id: string, call: () => Promise<unknown>) => void;
}

/** Runs changes one at a time. */
export function useChange(onDone: () => void): Change {
  const withProof = useProof();
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const change = async (id: string, call: () => Promise<unknown>): Promise<void> => {
    setBusy(id);
    setFailure(null);
    try {
      await withProof(call);
      onDone();
    } catch (error) {
      setFailure(toCallError(error).message);
    } finally {
      setBusy(null);
    }
  };
  return {
    busy,
    failure,
    run: (id, call) => {
      if (busy === null) void change(id, call);
    },
  };
}
