import { ApiError, text } from '@paper/contracts';
import { z } from 'zod';
import { PASSKEYS_MAX, PasskeyRefused, Passkeys, TooManyPasskeys } from '../identity/passkeys.ts';
import type { Requester } from '../identity/passkeys.ts';
import type { PortalParts } from './portal-parts.ts';
import { assertProof, assertSession } from './app.ts';
import { beginSession } from './begin-session.ts';
import { browserHashOf, browserOf } from './cookies.ts';
import { PortalError } from '../base/errors.ts';
import { portalRoute } from './route.ts';
import type { PortalAnswer, PortalCall, RouteGroup } from './route.ts';

const encoded = z.string().max(20_000);

/** The fields of `PublicKeyCredential.toJSON` that the library reads; those that browsers add are dropped. */
const credential = { id: encoded, rawId: encoded, type: z.literal('public-key') };

export const createdPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(30)).max(10).default([]),
  }),
});

const asserted = z.object({
  ...credential,
  response: z.object({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded }),
});

const challengeBody = z.strictObject({ purpose: z.enum(['sign-in', 'prove', 'add']) });

const answerBody = z.discriminatedUnion('purpose', [
  z.strictObject({ purpose: z.literal('sign-in'), response: asserted }),
  z.strictObject({ purpose: z.literal('prove'), response: asserted }),
  z.strictObject({ purpose: z.literal('add'), response: createdPasskey, name: text(1, 60) }),
]);

type AnswerBody = z.output<typeof answerBody>;

/** The routes of passkeys: to sign in, to prove oneself again, and to add one. */
export function passkeyRoutes(parts: PortalParts): RouteGroup {
  const passkeys = new Passkeys(parts.db, parts.site);

  const challenge = async (call: PortalCall, purpose: AnswerBody['purpose']): Promise<PortalAnswer> => {
    const { session } = call;
    if (purpose === 'sign-in') {
      const browser = browserOf(call, parts.site());
      return { body: await passkeys.challengeForSignIn({ browserHash: browser.hash }), cookies: browser.cookies };
    }
    assertSession(session);
    const owner = { sessionId: session.id };
    if (purpose === 'prove') return { body: await passkeys.challengeForProof(owner, session.person.id) };
    assertProof(session);
    return { body: await passkeys.challengeForNew(owner, session.person) };
  };

  const signInBy = async (call: PortalCall, response: z.output<typeof asserted>): Promise<PortalAnswer> => {
    const browserHash = browserHashOf(call.call.request, parts.site());
    if (browserHash === null) throw new PasskeyRefused('the browser has asked for no challenge');
    return beginSession(parts, call, await passkeys.verify('sign-in', { browserHash }, toLibrary(response)));
  };

  const answer = async (call: PortalCall, body: AnswerBody): Promise<PortalAnswer> => {
    if (body.purpose === 'sign-in') return signInBy(call, body.response);
    const { session } = call;
    assertSession(session);
    const { person } = session;
    const owner: Requester = { sessionId: session.id };
    if (body.purpose === 'add') {
      assertProof(session);
      return { body: { passkey: await passkeys.add(owner, person.id, toLibrary(body.response), body.name) } };
    }
    const personId = await passkeys.verify('prove', owner, toLibrary(body.response));
    if (personId !== person.id) throw new PasskeyRefused('the passkey is that of another person');
    return { body: { provenUntil: (await parts.sessions.prove(session.id)).toISOString() } };
  };

  return {
    routes: [
      portalRoute('post', '/portal/passkeys/challenge', 'nothing', { body: challengeBody }, (call, { body }) => {
        assertOffered(parts);
        return challenge(call, body.purpose);
      }),
      portalRoute('post', '/portal/passkeys/answer', 'nothing', { body: answerBody }, async (call, { body }) => {
        assertOffered(parts);
        try {
          return await answer(call, body);
        } catch (error) {
          throw passkeyRefusal(error, body.purpose, parts);
        }
      }),
    ],
  };
}

/** @throws PortalError sign_in_unavailable when browsers have no passkeys at this address. */
export function assertOffered({ site }: PortalParts): void {
  const { hasPasskeys, origin } = site();
  if (hasPasskeys) return;
  const where = 'an https address with a host name, or http://localhost';
  throw new PortalError('sign_in_unavailable', `Browsers have no passkeys at ${origin}: they need ${where}`);
}

/** The refusal of a passkey, the same for every reason, which the log has. */
export function passkeyRefusal(error: unknown, purpose: AnswerBody['purpose'], { logger }: PortalParts): unknown {
  if (error instanceof TooManyPasskeys) {
    return new ApiError('limit_reached', `You can have ${PASSKEYS_MAX} passkeys: remove one first`);
  }
  if (!(error instanceof PasskeyRefused)) return error;
  logger.info({ err: error, purpose }, 'a passkey was refused');
  return purpose === 'add'
    ? new PortalError('expired', 'The passkey was not accepted: try again')
    : new PortalError('wrong_credentials', 'This passkey does not let you in: try another, or sign in another way');
}

/** The library requires this field, which our code never reads. */
export function toLibrary<T extends object>(response: T) {
  return { ...response, clientExtensionResults: {} };
}
