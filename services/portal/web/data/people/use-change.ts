import { useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { useProof } from '../session/proof.tsx';

/** The state of changes by one click: the running change, and the error of the newest one. */
export interface Change {
  /** The id of the thing that is being changed; null: no change runs. */
  readonly busy: string | null;
  readonly failure: string | null;
  /** Runs a change of the thing with this id. Asks the person for a proof of identity if the service demands one. */
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
