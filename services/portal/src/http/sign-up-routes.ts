import { randomUUID } from 'node:crypto';
import { ApiError, reservedNameFault, text } from '@paper/contracts';
import { displayName } from '@paper/contracts/accounts';
import { z } from 'zod';
import { idempotencyKeyTaken } from '../accounts/sign-up.ts';
import { assertNotName, foldName, newPassword, signInName } from '../identity/passwords.ts';
import { Passkeys } from '../identity/passkeys.ts';
import type { Person } from '../base/schema.ts';
import { PasswordSignIn } from '../identity/sign-in.ts';
import type { PortalParts } from './portal-parts.ts';
import { beginSession } from './begin-session.ts';
import { browserHashOf, browserOf } from './cookies.ts';
import { PortalError } from '../base/errors.ts';
import { assertOffered, createdPasskey, passkeyRefusal, toLibrary } from './passkey-routes.ts';
import { portalRoute } from './route.ts';
import type { PortalAnswer, PortalCall, RouteGroup } from './route.ts';
import type { PortalConfig } from '../base/config.ts';
import type { Site } from '../base/site.ts';

const newPerson = {
  signInName,
  displayName,
  email: z.email('must be an e-mail address, such as name@example.com').max(254).optional(),
  invite: text(1, 100).optional(),
};

const newPersonBody = z.strictObject(newPerson);

const signUpBody = z.strictObject({
  ...newPerson,
  password: newPassword.optional(),
  /** The passkey made for the challenge of `/portal/sign-up/passkey`. */
  passkey: createdPasskey.optional(),
  /** True: links the company identity with which this browser came back from the issuer. */
  company: z.literal(true).optional(),
  /** The path of the page that the person came from, which the answer to the confirmed e-mail returns. */
  cameFrom: z.string().startsWith('/').max(10_000).optional(),
  idempotencyKey: z.string().regex(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible ASCII characters'),
});

type NewPersonBody = z.output<typeof newPersonBody>;
type SignUpBody = z.output<typeof signUpBody>;

const AWAITS_EMAIL: PortalAnswer = { status: 202, body: { confirm: 'email' } };

/** The routes of sign-up, which stores the person, opens the account, and begins a session. */
export function signUpRoutes(parts: PortalParts): RouteGroup {
  const passkeys = new Passkeys(parts.db, parts.site);
  return {
    routes: [
      portalRoute('post', '/portal/sign-up/passkey', 'nothing', { body: newPersonBody }, async (call, { body }) => {
        // A device keeps the passkey that it makes, so everything that can be wrong is refused before.
        assertOffered(parts);
        await assertPossible(parts, call, body);
        const { cookies, hash: browserHash } = browserOf(call, parts.site());
        const person = { id: randomUUID(), sign_in_name: body.signInName, display_name: body.displayName };
        return { body: await passkeys.challengeForNew({ browserHash }, person), cookies };
      }),
      portalRoute('post', '/portal/sign-up', 'nothing', { body: signUpBody }, async (call, { body }) => {
        return (await findRepeated(parts, call, body)) ?? signUp(parts, call, body);
      }),
    ],
  };
}

/** Counts the attempt, and returns its invite. @throws PortalError, ApiError if the person cannot sign up. */
async function assertPossible(parts: PortalParts, { address }: PortalCall, body: NewPersonBody) {
  const invite = inviteOf(parts, body);
  await parts.signUps.countTry(address);
  const fault = reservedNameFault(body.displayName);
  if (fault !== null) throw new ApiError('validation_failed', `validation failure: displayName: ${fault}`);
  if (parts.emailChange !== null && body.email === undefined) {
    throw new ApiError('validation_failed', 'validation failure: email: is required: a link is sent there');
  }
  await parts.signUps.assertPossible(body.signInName, invite);
  return invite;
}

async function signUp(parts: PortalParts, call: PortalCall, body: SignUpBody): Promise<PortalAnswer> {
  const { emailChange, passwords, signUps } = parts;
  const { address, signal } = call;
  if (body.password !== undefined) assertNotName(body.password, body.signInName);
  if (body.password === undefined && body.passkey === undefined && body.company === undefined) {
    throw new ApiError('validation_failed', 'validation failure: password: is required without a passkey');
  }
  let person: Person;
  try {
    const invite = await assertPossible(parts, call, body);
    person = await signUps.store({
      signInName: body.signInName,
      displayName: body.displayName,
      passwordHash: body.password === undefined ? null : await passwords.hash(body.password, address, signal),
      invite,
      idempotencyKey: body.idempotencyKey,
      address,
      waitsForEmail: emailChange !== null,
      arrival: body.company === undefined ? null : { browserHash: browserHashOf(call.call.request, parts.site()) },
      passkey: await firstPasskey(parts, call, body),
      cameFrom: body.cameFrom ?? null,
    });
  } catch (error) {
    // The same request arrived twice at the same time, and the other one was stored first.
    const repeated = await findRepeated(parts, call, body);
    if (repeated !== null) return repeated;
    throw passkeyRefusal(error, 'add', parts);
  }
  if (emailChange === null) return finishSignUp(parts, call, person.id);
  await emailChange.confirmSignUp(person.id, body.email ?? '');
  return AWAITS_EMAIL;
}

async function firstPasskey({ db, site }: PortalParts, call: PortalCall, { passkey }: SignUpBody) {
  if (passkey === undefined) return null;
  const browserHash = browserHashOf(call.call.request, site()) ?? Buffer.alloc(0);
  return new Passkeys(db, site).verifyNew({ browserHash }, toLibrary(passkey), 'First passkey');
}

/** Opens the account, and begins a session; `next` is the page to show then. @throws as `AccountOpening.finish`. */
export async function finishSignUp(parts: PortalParts, call: PortalCall, personId: string, next: string | null = null) {
  await parts.opening.finish(personId);
  const { body, cookies } = await beginSession(parts, call, personId);
  return { status: 201, body: { person: body.person, cameFrom: next }, cookies };
}

/** The answer to a repeat of an earlier request, whose answer was lost; null for a new one. */
async function findRepeated(parts: PortalParts, call: PortalCall, body: SignUpBody): Promise<PortalAnswer | null> {
  const { db, passwords, signUps, throttle } = parts;
  const known = await signUps.findByRequest(body.idempotencyKey);
  if (known === null) return null;
  const { password } = body;
  const isSameName = known.sign_in_name === foldName(body.signInName);
  if (!isSameName || (password === undefined) !== (known.password_hash === null)) throw idempotencyKeyTaken();
  if (password !== undefined) {
    const { address, signal } = call;
    await new PasswordSignIn(db, passwords, throttle).check(known, { password, address, signal });
  }
  return known.state === 'unconfirmed' ? AWAITS_EMAIL : finishSignUp(parts, call, known.id);
}

/** The invite that this sign-up uses; null if it needs none. @throws PortalError sign_up_closed. */
function inviteOf(parts: PortalParts, { invite }: NewPersonBody): string | null {
  const mode = signUpMode(parts.config, parts.site());
  if (mode === 'closed') throw new PortalError('sign_up_closed', 'Sign-up is closed here');
  if (mode === 'open' || invite !== undefined) return invite ?? null;
  throw new PortalError('sign_up_closed', 'Sign-up needs an invite here: ask an operator for one');
}

export function signUpMode(config: Pick<PortalConfig, 'SIGN_UP'>, site: Pick<Site, 'isLoopback'>) {
  return config.SIGN_UP ?? (site.isLoopback ? 'open' : 'invite');
}
