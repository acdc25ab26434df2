import { ApiError, reservedNameFault, text } from '@paper/contracts';
import { displayName } from '@paper/contracts/accounts';
import { z } from 'zod';
import { idempotencyKeyTaken } from '../accounts/sign-up.ts';
import { assertNotName, foldName, newPassword, signInName } from '../identity/passwords.ts';
import { replaceRecoveryCodes } from '../identity/recovery.ts';
import type { Person } from '../base/schema.ts';
import { PasswordSignIn } from '../identity/sign-in.ts';
import type { PortalParts } from './portal-parts.ts';
import { beginSession } from './begin-session.ts';
import { knownBrowser } from './browser-cookie.ts';
import { PortalError } from '../base/errors.ts';
import { portalRoute } from './route.ts';
import type { PortalAnswer, PortalCall, RouteGroup } from './route.ts';
import { signUpMode } from './sign-up-mode.ts';

const signUpBody = z.strictObject({
  signInName,
  displayName,
  /** Left out by a person who will add a passkey. */
  password: newPassword.optional(),
  email: z.email('must be an e-mail address, such as name@example.com').max(254).optional(),
  invite: text(1, 100).optional(),
  /** Links the company identity with which this browser came back from the issuer. */
  company: z.literal(true).optional(),
  idempotencyKey: z.string().regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible ASCII characters'),
});

type SignUpBody = z.output<typeof signUpBody>;

/** The answer to a sign-up that waits for its e-mail. */
const AWAITS_EMAIL: PortalAnswer = { status: 202, body: { confirm: 'email' } };

/** Sign-up: stores the person, opens the account, and begins a session. */
export function signUpRoutes(parts: PortalParts): RouteGroup {
  return {
    routes: [
      portalRoute({
        method: 'post',
        path: '/portal/sign-up',
        needs: 'nothing',
        body: signUpBody,
        handler: async (call, { body }) => (await findRepeated(parts, call, body)) ?? signUp(parts, call, body),
      }),
    ],
  };
}

async function signUp(parts: PortalParts, call: PortalCall, body: SignUpBody): Promise<PortalAnswer> {
  const { passwords, sendConfirmation, signUps } = parts;
  const { address, signal } = call;
  const invite = inviteOf(parts, body);
  await signUps.countTry(address);
  const fault = reservedNameFault(body.displayName);
  if (fault !== null) throw new ApiError('validation_failed', `validation failure: displayName: ${fault}`);
  if (body.password !== undefined) assertNotName(body.password, body.signInName);
  if (sendConfirmation !== null && body.email === undefined) {
    throw new ApiError('validation_failed', 'validation failure: email: is required: a link is sent there');
  }
  let person: Person;
  try {
    await signUps.assertFree(body.signInName);
    person = await signUps.store({
      signInName: body.signInName,
      displayName: body.displayName,
      passwordHash: body.password === undefined ? null : await passwords.hash(body.password, address, signal),
      invite,
      idempotencyKey: body.idempotencyKey,
      address,
      waitsForEmail: sendConfirmation !== null,
      arrival: body.company === undefined ? null : { browserHash: knownBrowser(call.call.request, parts.site()) },
    });
  } catch (error) {
    // The same request arrived twice at once, and the other one was stored first.
    const repeated = await findRepeated(parts, call, body);
    if (repeated !== null) return repeated;
    throw error;
  }
  if (sendConfirmation === null) return signedUp(parts, call, person.id);
  await sendConfirmation(person.id, body.email ?? '');
  return AWAITS_EMAIL;
}

/**
 * Finishes a sign-up: opens the account, begins a session, and makes the recovery codes, which are shown this once.
 * @throws as `AccountOpening.finish`.
 */
export async function signedUp(parts: PortalParts, call: PortalCall, personId: string): Promise<PortalAnswer> {
  await parts.opening.finish(personId);
  const { body, cookies = [] } = await beginSession(parts, call, personId);
  const recoveryCodes = await parts.db
    .transaction()
    .execute((transaction) => replaceRecoveryCodes(transaction, personId));
  return { status: 201, body: { person: body.person, recoveryCodes }, cookies };
}

/** The answer to a repeat of an earlier request, whose answer was lost; null for a new one. */
async function findRepeated(parts: PortalParts, call: PortalCall, body: SignUpBody): Promise<PortalAnswer | null> {
  const { db, passwords, signUps, throttle } = parts;
  const known = await signUps.findByRequest(body.idempotencyKey);
  if (known === null) return null;
  if (!(await isSame(known))) {
    throw idempotencyKeyTaken();
  }
  return known.state === 'unconfirmed' ? AWAITS_EMAIL : signedUp(parts, call, known.id);

  async function isSame(person: Person): Promise<boolean> {
    if (person.sign_in_name !== foldName(body.signInName)) return false;
    if (body.password === undefined || person.password_hash === null) {
      return body.password === undefined && person.password_hash === null;
    }
    const { address, signal } = call;
    const given = { password: body.password, address, signal };
    await new PasswordSignIn(db, passwords, throttle).check(person, given);
    return true;
  }
}

/** The invite that this sign-up takes; null where it needs none. @throws PortalError sign_up_closed. */
function inviteOf(parts: PortalParts, { invite }: SignUpBody): string | null {
  switch (signUpMode(parts.config, parts.site())) {
    case 'open':
      return invite ?? null;
    case 'invite':
      if (invite !== undefined) return invite;
      throw new PortalError('sign_up_closed', 'Sign-up needs an invite here: ask an operator for one');
    case 'closed':
      throw new PortalError('sign_up_closed', 'Sign-up is closed here');
  }
}
