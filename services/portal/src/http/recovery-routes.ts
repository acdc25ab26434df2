import { ApiError, text } from '@paper/contracts';
import { z } from 'zod';
import { emailAddress, findPerson } from '../identity/people.ts';
import { assertNotName, newPassword } from '../identity/passwords.ts';
import { ownAccount } from '../keys/portal-keys.ts';
import type { PortalParts } from './portal-parts.ts';
import { beginSession } from './begin-session.ts';
import { PortalError } from '../base/errors.ts';
import { portalRoute } from './route.ts';
import type { PortalAnswer, PortalCall, RouteGroup } from './route.ts';

const BY_ADDRESS = { kind: 'recovery', events: 20, minutes: 60, message: 'Too many tries to get back in' } as const;

const recoverBody = z.union([
  z.strictObject({ name: text(1, 320), code: text(1, 60), password: newPassword }),
  z.strictObject({ email: emailAddress }),
]);

const linkBody = z.strictObject({ token: text(1, 100), password: newPassword });

/** The routes back into an account. Neither an answer nor its time reveals whether a name, code or address exists. */
export function recoveryRoutes(parts: PortalParts): RouteGroup {
  const { links, passwords, recovery, throttle } = parts;

  const back = async (call: PortalCall, personId: string): Promise<PortalAnswer> => {
    const { body, cookies } = await beginSession(parts, call, personId);
    const { person } = body;
    if (person.email !== null) links?.notify(person.email, 'password');
    return { body: { person, keys: await liveKeys(parts, personId) }, cookies };
  };

  return {
    routes: [
      portalRoute('post', '/portal/recover', 'nothing', { body: recoverBody }, async (call, { body }) => {
        await throttle.take(BY_ADDRESS, call.address);
        if ('code' in body) {
          assertNotName(body.password, body.name);
          const hash = await passwords.hash(body.password, call.address, call.signal);
          const personId = await recovery.byCode(body.name, body.code, hash);
          if (personId !== null) return back(call, personId);
          const text = 'The name and the recovery code do not belong together, or the code is used';
          throw new PortalError('wrong_credentials', text);
        }
        if (links === null) {
          throw new ApiError('validation_failed', 'This service sends no e-mail: use a recovery code');
        }
        recovery.sendLink(body.email);
        return { status: 202, body: {} };
      }),
      portalRoute('post', '/portal/recover/link', 'nothing', { body: linkBody }, async (call, { body }) => {
        const { password, token } = body;
        await throttle.take(BY_ADDRESS, call.address);
        const gone = new PortalError('expired', 'This link was used, or is older than 30 minutes: ask for a new one');
        if ((await links?.look(token))?.purpose !== 'recover') throw gone;
        const personId = await recovery.byLink(token, await passwords.hash(password, call.address, call.signal));
        if (personId === null) throw gone;
        return back(call, personId);
      }),
    ],
  };
}

/** The person's unrevoked keys, some of which an intruder may have made; null if the exchange does not answer. */
async function liveKeys({ db, keys, logger }: PortalParts, personId: string) {
  try {
    const person = await findPerson(db, personId);
    if (person === null) return null;
    const found = await keys.call(ownAccount(person), 'master', (api) => api.call('listKeys', {}));
    return found.keys.filter(({ revokedAt }) => revokedAt === null);
  } catch (error) {
    logger.warn({ err: error }, 'the keys of a person who recovered their account cannot be read');
    return null;
  }
}
