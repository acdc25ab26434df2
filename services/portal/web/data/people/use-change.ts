import { useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { useProof } from '../session/proof.tsx';

export function useChange(onDone: () => void) {
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
    /** Runs a change of this thing, after a proof of identity if the service demands one. */
    run: (id: string, call: () => Promise<unknown>): void => {
      if (busy === null) void change(id, call);
    },
  };
}
