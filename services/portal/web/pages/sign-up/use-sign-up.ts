import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { toCallError } from '../../base/call-error.ts';
import { portalCall } from '../../data/api/calls.ts';
import { answerPasskey } from '../../data/api/passkeys.ts';
import type { SessionInfo } from '../../data/session/session.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { useIdempotencyKey } from '../../data/api/use-idempotency-key.ts';
import type { EmailAwaited, SignedUp } from '../../data/people/answers.ts';
import { inviteOf } from './invite.ts';

/** The inputs of the form, as typed. */
export interface SignUpFields {
  readonly displayName: string;
  readonly signInName: string;
  /** The means of sign-in that the person chose. */
  readonly means: 'password' | 'passkey' | 'company';
  readonly password: string;
  readonly email: string;
  readonly invite: string;
}

export interface SignUpEnds {
  /** @param warning a further message to the person */
  readonly onSignedUp: (answer: SignedUp, warning: string | null) => void;
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

/** The faults of all fields that can be seen before the form is sent. */
export function faultsOf(body: SignUpBody): SignUpBody {
  const wrong = RULES.filter(([field, isRight]) => body[field] !== undefined && !isRight(body[field]));
  return Object.fromEntries(wrong.map(([field, , otherwise]) => [field, otherwise]));
}

/** The state of the form of a new person. */
export function useSignUp(info: SessionInfo, { onSignedUp, onEmailSent }: SignUpEnds) {
  const [search] = useSearchParams();
  const keys = useIdempotencyKey();
  // The company's sign-in sends people here whose identity belongs to no account yet.
  const isFromCompany = info.companyName !== null && search.get('company') === 'new';
  const [fields, setFields] = useState<SignUpFields>({
    displayName: '',
    signInName: '',
    means: isFromCompany ? 'company' : 'password',
    password: '',
    email: '',
    invite: search.get('invite') ?? '',
  });
  const submission = useSubmission({
    fields: ['displayName', 'signInName', 'password', 'email', 'invite'],
    byCode: { name_taken: 'signInName', sign_up_closed: 'invite' },
    check: () => faultsOf(bodyOf(fields, info)),
    send: async () => {
      const body = { ...bodyOf(fields, info), ...(isFromCompany ? { company: true } : {}) };
      const idempotencyKey = keys.keyOf(JSON.stringify(body));
      const answer = await portalCall<SignedUp | EmailAwaited>('POST', '/portal/sign-up', { ...body, idempotencyKey });
      if ('confirm' in answer) onEmailSent(fields.email);
      else onSignedUp(answer, fields.means === 'passkey' ? await addFirstPasskey() : null);
    },
  });
  const change = (part: Partial<SignUpFields>): void => setFields((before) => ({ ...before, ...part }));
  return { fields, change, isFromCompany, submission };
}

/** The fields that are sent; white space around names is cut. */
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

/** Makes the passkey of an account that was just opened. Returns a message to the person where that failed. */
async function addFirstPasskey(): Promise<string | null> {
  try {
    await answerPasskey('add', 'First passkey');
    return null;
  } catch (error) {
    const reason = toCallError(error).message;
    return `Your account is open, but has no passkey yet. ${reason} Make one or set a password on the page Account before you sign out; until then only the codes below let you in again.`;
  }
}
