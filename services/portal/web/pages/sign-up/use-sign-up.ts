import { useRef } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { toCallError } from '../../base/call-error.ts';
import { portalCall } from '../../data/api/calls.ts';
import { makeFirstPasskey } from '../../data/api/passkeys.ts';
import { useIdempotencyKey } from '../../data/api/use-idempotency-key.ts';
import type { EmailAwaited, SignedUp } from '../../data/people/answers.ts';
import { localPath } from '../../data/people/local-path.ts';
import { inviteOf } from './invite.ts';

export type Means = 'password' | 'passkey' | 'company';

/** The typed fields. A form has only those that the service and the means of sign-in need. */
export type SignUpFields = Readonly<Record<keyof typeof RULES, string>>;

export type SignUpEnds = Readonly<{ onSignedUp: (answer: SignedUp) => void; onEmailSent: (address: string) => void }>;

const RULES = {
  invite: { isRight: (text: string) => text !== '', otherwise: 'Paste the link that an operator gave you.' },
  displayName: { isRight: hasLength(2, 24), otherwise: 'A display name has 2 to 24 characters.' },
  signInName: { isRight: hasLength(3, 64), otherwise: 'A sign-in name has 3 to 64 characters.' },
  email: {
    isRight: (text: string) => /.@./.test(text),
    otherwise: 'Type an e-mail address, such as name@example.com.',
  },
  password: { isRight: hasLength(10, Infinity), otherwise: 'A password has at least 10 characters.' },
};

function hasLength(min: number, max: number): (text: string) => boolean {
  return (text) => {
    const { length } = Array.from(text);
    return length >= min && length <= max;
  };
}

/** Faults of all fields that can be found before the form is sent. */
export function faultsOf(typed: SignUpFields): Partial<SignUpFields> {
  const body = Object.entries(bodyOf(typed)) as [keyof SignUpFields, string][];
  const wrong = body.filter(([field, text]) => !RULES[field].isRight(text));
  return Object.fromEntries(wrong.map(([field]) => [field, RULES[field].otherwise]));
}

export function useSignUp(means: Means, isFromCompany: boolean, { onSignedUp, onEmailSent }: SignUpEnds) {
  const [search] = useSearchParams();
  const keys = useIdempotencyKey();
  // A device keeps each passkey that it makes, so a sign-up whose answer was lost is sent again with the same passkey.
  const made = useRef<{ readonly text: string; readonly passkey: unknown } | null>(null);
  return async (typed: SignUpFields): Promise<void> => {
    const body = bodyOf(typed);
    const text = JSON.stringify(body);
    const idempotencyKey = keys.keyOf(text);
    if (means === 'passkey' && made.current?.text !== text) {
      made.current = { text, passkey: await makeFirstPasskey(body) };
    }
    const answer = await portalCall<SignedUp | EmailAwaited>('POST', '/portal/sign-up', {
      ...body,
      ...(means === 'passkey' ? { passkey: made.current?.passkey } : {}),
      ...(isFromCompany ? { company: true } : {}),
      cameFrom: localPath(search.get('next'), location.origin),
      idempotencyKey,
    }).catch((error: unknown) => {
      if (!toCallError(error).isTransient) made.current = null;
      throw error;
    });
    if ('confirm' in answer) onEmailSent(body.email);
    else onSignedUp(answer);
  };
}

/** The fields of the request: as typed, without white space around names. */
function bodyOf(typed: SignUpFields): SignUpFields {
  const body = Object.entries(typed).map(([name, text]) => {
    if (name === 'invite') return [name, inviteOf(text)] as const;
    return [name, name === 'password' ? text : text.trim()] as const;
  });
  return Object.fromEntries(body) as SignUpFields;
}
