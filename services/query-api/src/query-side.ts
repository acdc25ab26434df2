import type { Freshness, ReadModels } from '@paper/read-models';
import type { Authenticate, Route } from '@paper/service-kit';
import { accountRoutes } from './account-routes.ts';
import { createAuthenticator } from './caller.ts';
import { marketRoutes } from './market-routes.ts';
import { serviceRoutes, type ServiceFacts } from './service-routes.ts';

export interface QuerySideSettings extends ServiceFacts {
  readonly readModels: ReadModels;
  /** Waits until the projection has reached the journal's head. */
  readonly freshness: Freshness;
}

export interface QuerySide {
  readonly routes: readonly Route[];
  /** By the projection: for routes of the same process that have no other way to know a key. */
  readonly authenticate: Authenticate;
}

/** Everything that reads: one handler an endpoint, each answer from one snapshot of the read models. */
export function createQuerySide(settings: QuerySideSettings): QuerySide {
  const { readModels, freshness } = settings;
  const authenticate = createAuthenticator(readModels, freshness);
  return {
    authenticate,
    routes: [
      ...serviceRoutes(settings, readModels, authenticate),
      ...marketRoutes(readModels, freshness, authenticate),
      ...accountRoutes(readModels, authenticate),
    ],
  };
}
