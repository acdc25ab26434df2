import { defineEndpoint } from '../endpoint.ts';
import { Me } from './me.ts';

/** The account of the key that asks. */
export const ownAccountEndpoints = {
  getMe: defineEndpoint({
    id: 'getMe',
    method: 'get',
    path: '/api/me',
    tag: 'Accounts',
    summary: 'Get the account and the key of this request',
    description: 'Which account the key belongs to, what the key may do, and what it has spent today.',
    auth: 'key',
    kind: 'read',
    answer: Me.schema,
    errors: [],
  }),
};
