import { defineEndpoint } from '../endpoint.ts';
import { Health, OpenApiDocument } from './service.ts';

/** Endpoints that describe the service. */
export const serviceEndpoints = {
  getHealth: defineEndpoint({
    id: 'getHealth',
    method: 'get',
    path: '/api/health',
    tag: 'Service',
    summary: 'Check the health of the service',
    description:
      'The status is always 200. `degraded` means that the database is down, that a projection has stopped or lags, or that no process accepts commands.',
    auth: 'public',
    kind: 'read',
    answer: Health,
    errors: [],
  }),
  getOpenApi: defineEndpoint({
    id: 'getOpenApi',
    method: 'get',
    path: '/api/openapi',
    tag: 'Service',
    summary: 'Get this document',
    description: 'OpenAPI 3.1, generated from the schemas that validate requests and answers.',
    auth: 'public',
    kind: 'read',
    conditional: true,
    answer: OpenApiDocument,
    errors: [],
  }),
};
