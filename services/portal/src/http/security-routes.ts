import { ApiError, text } from '@paper/contracts';
import { z } from 'zod';
import { everythingStored } from '../accounts/everything-stored.ts';
import { emailAddress } from '../identity/people.ts';
import { assertNotName, newPassword } from '../identity/passwords.ts';
import { Passkeys } from '../identity/passkeys.ts';
import { replaceRecoveryCodes, setPassword } from '../identity/recovery.ts';
import { removeSignInMeans } from '../identity/sign-in-means.ts';
import type { SignInMeans } from '../identity/sign-in-means.ts';
import type { PortalParts } from './portal-parts.ts';
import { SESSION_COOKIE } from './app.ts';
import { beginSession } from './begin-session.ts';
import { companyName } from './company-routes.ts';
import { setCookie } from './cookies.ts';
import { PortalError } from '../base/errors.ts';
import { portalRoute } from './route.ts';
import type { RouteGroup } from './route.ts';
import { finishSignUp } from './sign-up-routes.ts';

/** The limit of new passwords, each of which takes its turn in the queue of all people's passwords. */
const NEW_PASSWORDS = { kind: 'new passwords of a person', events: 10, minutes: 15, message: 'Too many new passwords' };

const byId = z.strictObject({ id: text(1, 100) });

/** The routes of a person's means of sign-in and stored data. Each change needs a proof, but for a session's end. */
export function securityRoutes(parts: PortalParts): RouteGroup {
  return {
    routes: [overview(parts), ...removals(parts), ...changes(parts), ...emailChanges(parts), ...storedData(parts)],
  };
}

function overview({ config, db, recovery, sessions, site }: PortalParts) {
  const passkeys = new Passkeys(db, site);
  return portalRoute('get', '/portal/security', 'session', {}, async ({ session: { id: current, person } }) => {
    const links = await db.selectFrom('company_links').select('issuer').where('person_id', '=', person.id).execute();
    return {
      body: {
        hasPassword: person.password_hash !== null,
        passkeys: await passkeys.list(person.id),
        sessions: (await sessions.list(person.id)).map((one) => ({ ...one, current: one.id === current })),
        recoveryCodesLeft: await recovery.codesLeft(person.id),
        email: person.email,
        company: links.length === 0 ? null : { name: companyName(config) ?? 'a company' },
      },
    };
  });
}

function removals({ db, sessions }: PortalParts) {
  const remove = async (personId: string, way: SignInMeans): Promise<Record<string, never>> => {
    const result = await removeSignInMeans(db, personId, way);
    if (result === 'removed') return {};
    if (result === 'unknown') throw new ApiError('not_found', 'You have no such way to sign in');
    const text = 'This is your only way to sign in: set a password, or add another passkey, first';
    throw new ApiError('validation_failed', text);
  };
  return [
    portalRoute('delete', '/portal/passkeys/{id}', 'proof', { params: byId }, ({ session }, { params: { id } }) =>
      remove(session.person.id, { kind: 'passkey', id }),
    ),
    portalRoute('delete', '/portal/company', 'proof', {}, ({ session }) =>
      remove(session.person.id, { kind: 'company' }),
    ),
    portalRoute('delete', '/portal/sessions/{id}', 'session', { params: byId }, async ({ session }, { params }) => {
      if (await sessions.end(session.person.id, params.id)) return {};
      throw new ApiError('not_found', 'You have no such session; it may have ended');
    }),
  ];
}

const passwordBody = z.strictObject({ password: newPassword });
const codeBody = z.strictObject({ code: text(1, 60) });
const emailBody = z.strictObject({ email: emailAddress });
const tokenBody = z.strictObject({ token: text(1, 100) });

function changes(parts: PortalParts) {
  const { db, links, passwords, recovery, throttle } = parts;
  return [
    portalRoute('post', '/portal/password', 'proof', { body: passwordBody }, async (call, { body: { password } }) => {
      const { person } = call.session;
      assertNotName(password, person.sign_in_name);
      await throttle.take(NEW_PASSWORDS, person.id);
      const hash = await passwords.hash(password, call.address, call.signal);
      await db.transaction().execute((transaction) => setPassword(transaction, person.id, hash));
      if (person.email !== null) links?.notify(person.email, 'password');
      // All sessions have ended, so this browser gets a new one.
      return beginSession(parts, call, person.id);
    }),
    portalRoute('post', '/portal/recovery-codes', 'proof', {}, async ({ session: { person } }) => {
      const recoveryCodes = await db.transaction().execute((changing) => replaceRecoveryCodes(changing, person.id));
      return { body: { recoveryCodes } };
    }),
    portalRoute('post', '/portal/recovery-codes/stored', 'session', { body: codeBody }, async (call, { body }) => {
      if (await recovery.noteStored(call.session.person.id, body.code)) return {};
      throw new PortalError('expired', 'These codes were replaced by newer ones: make new codes and store those');
    }),
  ];
}

function emailChanges(parts: PortalParts) {
  const { db, emailChange, links, signUps } = parts;
  return [
    portalRoute('post', '/portal/email', 'proof', { body: emailBody }, async ({ session }, { body }) => {
      if (emailChange === null) {
        throw new ApiError('validation_failed', 'This service sends no e-mail, so it cannot confirm an address');
      }
      await emailChange.request(session.person.id, body.email);
      return { status: 202, body: { confirm: 'email' } };
    }),
    portalRoute('delete', '/portal/email', 'proof', {}, async ({ session: { person } }) => {
      await db.updateTable('people').set({ email: null }).where('id', '=', person.id).execute();
      if (person.email !== null) links?.notify(person.email, 'e-mail address');
      return {};
    }),
    portalRoute('post', '/portal/confirm', 'nothing', { body: tokenBody }, async (call, { body: { token } }) => {
      if ((await links?.look(token))?.purpose === 'confirm-sign-up') {
        const confirmed = await signUps.confirm(token);
        if (confirmed !== null) return finishSignUp(parts, call, confirmed.personId, confirmed.cameFrom);
      }
      const email = emailChange === null ? null : await emailChange.confirm(token);
      if (email === null) {
        throw new PortalError('expired', 'This link was used, or is older than 30 minutes: ask for a new one');
      }
      return { body: { email } };
    }),
  ];
}

function storedData({ db, deletions, site }: PortalParts) {
  return [
    portalRoute('get', '/portal/me', 'session', {}, async ({ session }) => ({
      body: await everythingStored(db, session.person),
    })),
    portalRoute('delete', '/portal/me', 'proof', {}, async ({ session }) => {
      const state = await deletions.order(session.person.id);
      if (state === null) throw new ApiError('not_found', 'This account is deleted already');
      const cookies = [setCookie(SESSION_COOKIE, '', site(), { maxAgeSeconds: 0 })];
      return { status: 202, body: { state }, cookies };
    }),
  ];
}
