import { useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { useProof } from '../session/proof.tsx';

export interface Change {
  /** The id of the thing that is being changed. */
  readonly busy: string | null;
  readonly failure: string | null;
  /** Runs a change of this thing, after a proof of identity if the service demands one. */
  readonly run: (id: string, call: () => Promise<unknown>) => void;
}

/** Runs changes by one click, one at a time. */
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
