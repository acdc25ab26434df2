import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useCallback, useContext, useRef, useState } from 'preact/hooks';
import { CallError } from '../../base/call-error.ts';
import { lazy } from '../../base/lazy.tsx';

/** Runs a call, and again after a proof of identity if the service demands one. Rejects with `cancelled` without it. */
export type WithProof = <T>(call: () => Promise<T>) => Promise<T>;

const ProofDialog = lazy(() => import('./proof-dialog.tsx'));

const ProofContext = createContext<WithProof | null>(null);

export function useProof(): WithProof {
  const withProof = useContext(ProofContext);
  if (withProof === null) throw new Error('useProof is only for components inside the ProofProvider');
  return withProof;
}

export function ProofProvider({ children }: { readonly children: ComponentChildren }) {
  const [isAsked, setIsAsked] = useState(false);
  const ending = useRef<((proven: boolean) => void)[]>([]);
  const ask = useCallback(
    () =>
      new Promise<boolean>((resolve) => {
        ending.current.push(resolve);
        setIsAsked(true);
      }),
    [],
  );
  const end = (proven: boolean): void => {
    setIsAsked(false);
    for (const resolve of ending.current.splice(0)) resolve(proven);
  };
  const withProof = useCallback<WithProof>(
    async (call) => {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'proof_required') throw error;
      }
      if (!(await ask())) throw new CallError('cancelled', 'Nothing was changed.', 0);
      return call();
    },
    [ask],
  );
  return (
    <ProofContext.Provider value={withProof}>
      {children}
      {isAsked && <ProofDialog onEnd={end} />}
    </ProofContext.Provider>
  );
}
