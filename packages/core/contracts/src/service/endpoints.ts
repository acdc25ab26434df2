import { defineEndpoint, withIds } from '../endpoint.ts';
import { Health, OpenApiDocument } from './service.ts';

export const serviceEndpoints = withIds({
  getHealth: defineEndpoint({
    path: '/api/health',
    tag: 'Service',
    summary: 'Check the health of the service',
    description:
      'The status is always 200. `degraded` means that the database is down, that a projection has stopped or lags, or that no process accepts commands.',
    auth: 'public',
    answer: Health,
  }),
  getOpenApi: defineEndpoint({
    path: '/api/openapi',
    tag: 'Service',
    summary: 'Get this document',
    description: 'OpenAPI 3.1, generated from the schemas that validate requests and answers.',
    auth: 'public',
    conditional: true,
    answer: OpenApiDocument,
  }),
});
