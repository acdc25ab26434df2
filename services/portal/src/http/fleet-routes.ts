import { ApiError, text } from '@paper/contracts';
import { CreateApiKeyInput, CreateSubAccountInput, MandateInput, RenameAccountInput } from '@paper/contracts/accounts';
import { z } from 'zod';
import { ownAccount } from '../keys/portal-keys.ts';
import type { PortalParts } from './portal-parts.ts';
import { portalRoute } from './route.ts';
import type { PortalCall, PortalRoute, RouteGroup } from './route.ts';

const byId = z.strictObject({ id: text(1, 100) });
const byKeyId = z.strictObject({ keyId: text(1, 100) });

/**
 * A person's display name, sub-accounts and keys. The calls go to the API with the person's second key; the API checks that it is
 * their fleet. Reading needs a session, every change a proof.
 */
export function fleetRoutes(parts: PortalParts): RouteGroup {
  return { routes: [displayNameRoute(parts), ...subAccountRoutes(parts), ...keyRoutes(parts)] };
}

function displayNameRoute({ db, keys }: PortalParts): PortalRoute {
  return portalRoute({
    method: 'put',
    path: '/portal/display-name',
    needs: 'proof',
    body: RenameAccountInput,
    handler: async (call, { body }) => {
      const { person } = call.session;
      const renamed = keys.call(ownAccount(person), 'master', (api) =>
        api.call('renameAccount', { body }, idempotencyOf(call)),
      );
      const { displayName } = await renamed;
      await db.updateTable('people').set({ display_name: displayName }).where('id', '=', person.id).execute();
      return { body: { displayName } };
    },
  });
}

function subAccountRoutes({ keys }: PortalParts): PortalRoute[] {
  return [
    portalRoute({
      method: 'get',
      path: '/portal/sub-accounts',
      needs: 'session',
      handler: async ({ session: { person } }) => ({
        body: await keys.call(ownAccount(person), 'master', (api) => api.call('listSubAccounts', {})),
      }),
    }),
    portalRoute({
      method: 'post',
      path: '/portal/sub-accounts',
      needs: 'proof',
      body: CreateSubAccountInput,
      handler: async (call, { body }) => {
        const owner = ownAccount(call.session.person);
        const made = keys.call(owner, 'master', (api) => api.call('createSubAccount', { body }, idempotencyOf(call)));
        return { body: await made };
      },
    }),
    portalRoute({
      method: 'delete',
      path: '/portal/sub-accounts/{id}',
      needs: 'proof',
      params: byId,
      handler: async ({ session: { person } }, { params }) => {
        await keys.call(ownAccount(person), 'master', (api) => api.call('closeSubAccount', { params }));
        return {};
      },
    }),
    portalRoute({
      method: 'post',
      path: '/portal/sub-accounts/{id}/keys',
      needs: 'proof',
      params: byId,
      body: CreateApiKeyInput.extend({ mandate: MandateInput.optional() }),
      handler: async (call, { params, body: { mandate, ...body } }) => {
        const owner = ownAccount(call.session.person);
        const made = await keys.call(owner, 'master', (api) =>
          api.call('createSubAccountKey', { params, body }, idempotencyOf(call)),
        );
        if (mandate === undefined || mandate === null) return { body: made };
        const keyId = made.apiKey.id;
        try {
          await keys.call(owner, 'master', (api) => api.call('setMandate', { params: { keyId }, body: mandate }));
        } catch (error) {
          // A key without the limits that were asked for must not stay.
          await keys.call(owner, 'master', (api) => api.call('revokeKey', { params: { keyId } }));
          throw error;
        }
        return { body: { apiKey: { ...made.apiKey, mandate } } };
      },
    }),
  ];
}

function keyRoutes({ keys }: PortalParts): PortalRoute[] {
  return [
    portalRoute({
      method: 'get',
      path: '/portal/keys',
      needs: 'session',
      handler: async ({ session: { person } }) => {
        const listed = await keys.call(ownAccount(person), 'master', (api) => api.call('listKeys', {}));
        const ours = await keys.idsOf(person.id);
        // The portal's own keys are shown as such.
        return { body: { keys: listed.keys.map((key) => ({ ...key, isPortals: ours.has(key.id) })) } };
      },
    }),
    portalRoute({
      method: 'delete',
      path: '/portal/keys/{keyId}',
      needs: 'proof',
      params: byKeyId,
      handler: async ({ session: { person } }, { params }) => {
        await keys.call(ownAccount(person), 'master', (api) => api.call('revokeKey', { params }));
        return {};
      },
    }),
    portalRoute({
      method: 'put',
      path: '/portal/keys/{keyId}/mandate',
      needs: 'proof',
      params: byKeyId,
      body: MandateInput,
      handler: async ({ session: { person } }, { params, body }) => ({
        body: await keys.call(ownAccount(person), 'master', (api) => api.call('setMandate', { params, body })),
      }),
    }),
    portalRoute({
      method: 'post',
      path: '/portal/automation-key',
      needs: 'proof',
      body: CreateApiKeyInput.pick({ name: true }),
      handler: async (call, { body: { name } }) => {
        const owner = ownAccount(call.session.person);
        const request = {
          params: { id: owner.accountId },
          body: { name, permissions: ['view', 'trade', 'master'] as const },
        };
        const made = keys.call(owner, 'master', (api) => api.call('createSubAccountKey', request, idempotencyOf(call)));
        return { body: await made };
      },
    }),
  ];
}

/** The Idempotency-Key that the page sent, for the call of the API. @throws ApiError validation_failed. */
function idempotencyOf({ call: { request } }: PortalCall): { readonly idempotencyKey?: string } {
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
