import { portalCall } from '../api/calls.ts';
import { useIdempotencyKey } from '../api/use-idempotency-key.ts';
import { useProof } from './proof.tsx';

/** A call that needs a proof of identity, and is carried out once even if it is sent several times. */
export function useProvenCall() {
  const withProof = useProof();
  const keys = useIdempotencyKey();
  return async <T>(method: 'POST' | 'PUT', path: `/portal/${string}`, body: object): Promise<T> => {
    const idempotencyKey = keys.keyOf(JSON.stringify(body));
    const answer = await withProof(() => portalCall<T>(method, path, body, { idempotencyKey }));
    keys.settle();
    return answer;
  };
}
