import { gzipSync } from 'node:zlib';
import { endpoints, iso, openApiDocument, type HealthBody } from '@paper/contracts';
import type { ReadModels } from '@paper/read-models';
import { makeReady, route, type Authenticate, type Route } from '@paper/service-kit';

/** What the service says about itself. */
export interface ServiceFacts {
  readonly version: string;
  readonly complianceMode: HealthBody['complianceMode'];
  /** False while something that the service needs has failed (a projection that stopped, a writer that is fenced). */
  readonly well: () => boolean;
  readonly now: () => number;
}

export function serviceRoutes(facts: ServiceFacts, readModels: ReadModels, authenticate: Authenticate): Route[] {
  const document = makeReady({ body: openApiDocument(), seq: 0 }).readyMade;
  const compressed = { ...document, gzip: gzipSync(document.bytes) };
  let lastSeq = 0;

  /** The projection's sequence, or null when the database does not answer. */
  const reachable = async (): Promise<number | null> => {
    try {
      lastSeq = await readModels.seq();
      return lastSeq;
    } catch {
      return null;
    }
  };

  return [
    route(
      endpoints.getHealth,
      async () => {
        const seq = await reachable();
        const body: HealthBody = {
          status: seq !== null && facts.well() ? 'ok' : 'degraded',
          version: facts.version,
          database: seq === null ? 'down' : 'ok',
          timestamp: iso(facts.now()),
          complianceMode: facts.complianceMode,
          emailConfigured: false,
        };
        return { body, seq: seq ?? lastSeq };
      },
      authenticate,
    ),
    route(endpoints.getOpenApi, () => ({ readyMade: compressed, seq: lastSeq }), authenticate),
  ];
}
