import { ApiError, text } from '@paper/contracts';
import { CreateApiKeyInput, CreateSubAccountInput, MandateInput, RenameAccountInput } from '@paper/contracts/accounts';
import { z } from 'zod';
import type { Session } from '../identity/sessions.ts';
import type { Api } from '../keys/api.ts';
import { ownAccount } from '../keys/portal-keys.ts';
import type { PortalParts } from './portal-parts.ts';
import { portalRoute } from './route.ts';
import type { PortalCall, PortalRoute, RouteGroup } from './route.ts';

type PersonCall = PortalCall<Session>;
interface Once {
  readonly idempotencyKey?: string;
}
type AsPerson = <T>(call: PersonCall, work: (api: Api, once: Once) => Promise<T>) => Promise<T>;

const byId = z.strictObject({ id: text(1, 100) });
const byKeyId = z.strictObject({ keyId: text(1, 100) });

/**
 * The routes of a person's display name, sub-accounts and keys. The calls go to the API with the person's second key;
 * the API checks that they concern the person's own fleet. Reading needs a session, every change a proof.
 */
export function fleetRoutes(parts: PortalParts): RouteGroup {
  /** Calls the API as the person, once however often the page sends the call. */
  const asPerson: AsPerson = (call, work) =>
    parts.keys.call(ownAccount(call.session.person), 'master', (api) => work(api, idempotencyOf(call)));
  return { routes: [...accountRoutes(parts, asPerson), ...keyRoutes(parts, asPerson)] };
}

function accountRoutes({ db }: PortalParts, asPerson: AsPerson): PortalRoute[] {
  return [
    portalRoute('put', '/portal/display-name', 'proof', { body: RenameAccountInput }, async (call, { body }) => {
      const { displayName } = await asPerson(call, (api, once) => api.call('renameAccount', { body }, once));
      const { id } = call.session.person;
      await db.updateTable('people').set({ display_name: displayName }).where('id', '=', id).execute();
      return { body: { displayName } };
    }),
    portalRoute('get', '/portal/sub-accounts', 'session', {}, async (call) => ({
      body: await asPerson(call, (api) => api.call('listSubAccounts', {})),
    })),
    portalRoute('post', '/portal/sub-accounts', 'proof', { body: CreateSubAccountInput }, async (call, { body }) => ({
      body: await asPerson(call, (api, once) => api.call('createSubAccount', { body }, once)),
    })),
    portalRoute('delete', '/portal/sub-accounts/{id}', 'proof', { params: byId }, async (call, { params }) => {
      await asPerson(call, (api) => api.call('closeSubAccount', { params }));
      return {};
    }),
  ];
}

function keyRoutes({ keys }: PortalParts, asPerson: AsPerson): PortalRoute[] {
  const revoke = (call: PersonCall, keyId: string) =>
    asPerson(call, (api) => api.call('revokeKey', { params: { keyId } }));
  return [
    portalRoute(
      'post',
      '/portal/sub-accounts/{id}/keys',
      'proof',
      { params: byId, body: CreateApiKeyInput.extend({ mandate: MandateInput.optional() }) },
      async (call, { params, body: { mandate, ...body } }) => {
        const made = await asPerson(call, (api, once) => api.call('createSubAccountKey', { params, body }, once));
        if (mandate === undefined || mandate === null) return { body: made };
        const keyId = made.apiKey.id;
        try {
          await asPerson(call, (api) => api.call('setMandate', { params: { keyId }, body: mandate }));
        } catch (error) {
          // A key without the requested limits must not stay.
          await revoke(call, keyId);
          throw error;
        }
        return { body: { apiKey: { ...made.apiKey, mandate } } };
      },
    ),
    portalRoute('get', '/portal/keys', 'session', {}, async (call) => {
      const listed = await asPerson(call, (api) => api.call('listKeys', {}));
      const ours = await keys.idsOf(call.session.person.id);
      // The portal's own keys are marked as such.
      return { body: { keys: listed.keys.map((key) => ({ ...key, isPortals: ours.has(key.id) })) } };
    }),
    portalRoute('delete', '/portal/keys/{keyId}', 'proof', { params: byKeyId }, async (call, { params: { keyId } }) => {
      await revoke(call, keyId);
      return {};
    }),
    portalRoute(
      'put',
      '/portal/keys/{keyId}/mandate',
      'proof',
      { params: byKeyId, body: MandateInput },
      async (call, { params, body }) => ({
        body: await asPerson(call, (api) => api.call('setMandate', { params, body })),
      }),
    ),
    portalRoute(
      'post',
      '/portal/automation-key',
      'proof',
      { body: CreateApiKeyInput.pick({ name: true }) },
      async (call, { body: { name } }) => {
        const params = { id: ownAccount(call.session.person).accountId };
        const body = { name, permissions: ['view', 'trade', 'master'] as const };
        return { body: await asPerson(call, (api, once) => api.call('createSubAccountKey', { params, body }, once)) };
      },
    ),
  ];
}

/** The Idempotency-Key that the page sent, for the call of the API. @throws ApiError validation_failed. */
function idempotencyOf({ call: { request } }: PortalCall): Once {
  const [value, ...more] = request.headersDistinct['idempotency-key'] ?? [];
  if (value === undefined) return {};
  if (more.length > 0 || !/^[\x20-\x7e]{1,255}$/.test(value)) {
    throw new ApiError(
      'validation_failed',
      'validation failure: Idempotency-Key: must be 1 to 255 printable ASCII characters, given once',
    );
  }
  return { idempotencyKey: value };
}
