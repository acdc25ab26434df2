import { useRef, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { toCallError } from '../../base/call-error.ts';
import { portalCall } from '../../data/api/calls.ts';
import { makeFirstPasskey } from '../../data/api/passkeys.ts';
import { isTransient } from '../../data/api/use-read.ts';
import type { SessionInfo } from '../../data/session/session.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { useIdempotencyKey } from '../../data/api/use-idempotency-key.ts';
import type { EmailAwaited, SignedUp } from '../../data/people/answers.ts';
import { localPath } from '../../data/people/local-path.ts';
import { inviteOf } from './invite.ts';

export interface SignUpFields {
  readonly displayName: string;
  readonly signInName: string;
  readonly means: 'password' | 'passkey' | 'company';
  readonly password: string;
  readonly email: string;
  readonly invite: string;
}

export interface SignUpEnds {
  readonly onSignedUp: (answer: SignedUp) => void;
  readonly onEmailSent: (address: string) => void;
}

type SignUpBody = Partial<Omit<SignUpFields, 'means'>>;

const RULES: readonly (readonly [keyof SignUpBody, isRight: (text: string) => boolean, otherwise: string])[] = [
  ['invite', (text) => text !== '', 'Paste the link that an operator gave you.'],
  ['displayName', (text) => hasLength(text, 2, 24), 'A display name has 2 to 24 characters.'],
  ['signInName', (text) => hasLength(text, 3, 64), 'A sign-in name has 3 to 64 characters.'],
  ['email', (text) => /.@./.test(text), 'Type an e-mail address, such as name@example.com.'],
  ['password', (text) => hasLength(text, 10, Infinity), 'A password has at least 10 characters.'],
];

function hasLength(text: string, min: number, max: number): boolean {
  const { length } = Array.from(text);
  return length >= min && length <= max;
}

/** Faults of all fields that can be found before the form is sent. */
export function faultsOf(body: SignUpBody): SignUpBody {
  const wrong = RULES.filter(([field, isRight]) => body[field] !== undefined && !isRight(body[field]));
  return Object.fromEntries(wrong.map(([field, , otherwise]) => [field, otherwise]));
}

export function useSignUp(info: SessionInfo, canMakePasskeys: boolean, { onSignedUp, onEmailSent }: SignUpEnds) {
  const [search] = useSearchParams();
  const keys = useIdempotencyKey();
  // The company's sign-in redirects people here whose identity belongs to no account yet.
  const isFromCompany = info.companyName !== null && search.get('company') === 'new';
  const [fields, setFields] = useState<SignUpFields>({
    displayName: '',
    signInName: '',
    means: isFromCompany ? 'company' : info.passkeysEnabled && canMakePasskeys ? 'passkey' : 'password',
    password: '',
    email: '',
    invite: search.get('invite') ?? '',
  });
  // A device keeps each passkey that it makes, so a sign-up whose answer was lost is sent again with the same passkey.
  const made = useRef<{ readonly text: string; readonly passkey: unknown } | null>(null);
  const submission = useSubmission({
    fields: ['displayName', 'signInName', 'password', 'email', 'invite'],
    byCode: { name_taken: 'signInName', sign_up_closed: 'invite' },
    check: () => faultsOf(bodyOf(fields, info)),
    send: async () => {
      const body = bodyOf(fields, info);
      const text = JSON.stringify(body);
      const idempotencyKey = keys.keyOf(text);
      if (fields.means === 'passkey' && made.current?.text !== text) {
        made.current = { text, passkey: await makeFirstPasskey(body) };
      }
      const cameFrom = localPath(search.get('next'), location.origin);
      const answer = await portalCall<SignedUp | EmailAwaited>('POST', '/portal/sign-up', {
        ...body,
        ...(fields.means === 'passkey' ? { passkey: made.current?.passkey } : {}),
        ...(isFromCompany ? { company: true } : {}),
        cameFrom,
        idempotencyKey,
      }).catch((error: unknown) => {
        if (!isTransient(toCallError(error))) made.current = null;
        throw error;
      });
      if ('confirm' in answer) onEmailSent(fields.email);
      else onSignedUp(answer);
    },
  });
  const change = (part: Partial<SignUpFields>): void => setFields((before) => ({ ...before, ...part }));
  return { fields, change, isFromCompany, submission };
}

/** The fields of the request, without white space around names. */
function bodyOf(fields: SignUpFields, { emailEnabled, signUp }: SessionInfo): SignUpBody {
  const { displayName, signInName, means, password, email, invite } = fields;
  return {
    displayName: displayName.trim(),
    signInName: signInName.trim(),
    ...(means === 'password' ? { password } : {}),
    ...(emailEnabled ? { email: email.trim() } : {}),
    ...(signUp === 'invite' ? { invite: inviteOf(invite) } : {}),
  };
}
