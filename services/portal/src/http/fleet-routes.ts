import { ApiError, text } from '@paper/contracts';
import { CreateApiKeyInput, CreateSubAccountInput, MandateInput, RenameAccountInput } from '@paper/contracts/accounts';
import { z } from 'zod';
import type { Session } from '../identity/sessions.ts';
import type { Api } from '../keys/api.ts';
import { ownAccount } from '../keys/portal-keys.ts';
import type { PortalParts } from './portal-parts.ts';
import { portalRoute } from './route.ts';
import type { PortalCall, RouteGroup } from './route.ts';

type PersonCall = PortalCall<Session>;
type Once = Readonly<{ idempotencyKey?: string }>;

const byId = z.strictObject({ id: text(1, 100) });
const byKeyId = z.strictObject({ keyId: text(1, 100) });
const newKeyBody = CreateApiKeyInput.extend({ mandate: MandateInput.optional() });
const automationKeyBody = CreateApiKeyInput.pick({ name: true });

/**
 * The routes of a person's display name, sub-accounts and keys. They call the API with the person's key `master`, and
 * the API refuses accounts of other people. Reading needs a session, every change a proof.
 */
export function fleetRoutes({ db, keys }: PortalParts): RouteGroup {
  // The page's Idempotency-Key is passed on, so that a repeated call is carried out once.
  const asPerson = <T>(call: PersonCall, work: (api: Api, once: Once) => Promise<T>): Promise<T> =>
    keys.call(ownAccount(call.session.person), 'master', (api) => work(api, idempotencyOf(call)));
  const revoke = (call: PersonCall, keyId: string) =>
    asPerson(call, (api) => api.call('revokeKey', { params: { keyId } }));
  const accountRoutes = [
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
  const keySchemas = { params: byId, body: newKeyBody };
  const mandateSchemas = { params: byKeyId, body: MandateInput };
  const keyRoutes = [
    portalRoute('post', '/portal/sub-accounts/{id}/keys', 'proof', keySchemas, async (call, { params, body }) => {
      const { mandate, ...key } = body;
      const made = await asPerson(call, (api, once) => api.call('createSubAccountKey', { params, body: key }, once));
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
    }),
    portalRoute('get', '/portal/keys', 'session', {}, async (call) => {
      const listed = await asPerson(call, (api) => api.call('listKeys', {}));
      const ours = await keys.idsOf(call.session.person.id);
      return { body: { keys: listed.keys.map((key) => ({ ...key, isPortals: ours.has(key.id) })) } };
    }),
    portalRoute('delete', '/portal/keys/{keyId}', 'proof', { params: byKeyId }, async (call, { params: { keyId } }) => {
      await revoke(call, keyId);
      return {};
    }),
    portalRoute('put', '/portal/keys/{keyId}/mandate', 'proof', mandateSchemas, async (call, { params, body }) => ({
      body: await asPerson(call, (api) => api.call('setMandate', { params, body })),
    })),
    portalRoute('post', '/portal/automation-key', 'proof', { body: automationKeyBody }, async (call, { body }) => {
      const params = { id: ownAccount(call.session.person).accountId };
      const key = { name: body.name, permissions: ['view', 'trade', 'master'] as const };
      return {
        body: await asPerson(call, (api, once) => api.call('createSubAccountKey', { params, body: key }, once)),
      };
    }),
  ];
  return { routes: [...accountRoutes, ...keyRoutes] };
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
