import { gzipSync } from 'node:zlib';
import { endpoints, openApiDocument } from '@paper/contracts';
import type { HealthBody } from '@paper/contracts/service';
import { iso } from '@paper/contracts/units';
import type { ReadModels } from '@paper/read-models';
import { preSerialize, implement } from '@paper/http';
import type { Authenticate, Route } from '@paper/http';

/** The facts that the health endpoint reports. */
export interface ServiceFacts {
  readonly version: string;
  readonly complianceMode: HealthBody['complianceMode'];
  /** False while a part has failed (a projection that stopped, a writer that was fenced). */
  readonly isHealthy: () => boolean;
  /** Whether the portal can send e-mail. Must not reject. */
  readonly isEmailConfigured: () => Promise<boolean>;
  readonly now: () => number;
}

export function serviceRoutes(facts: ServiceFacts, readModels: ReadModels, authenticate: Authenticate): Route[] {
  const document = preSerialize({ body: openApiDocument(), seq: 0 }).preSerialized;
  const compressed = { ...document, gzip: gzipSync(document.bytes) };
  let lastSeq = 0;

  /** The projection's sequence, or null where the database does not answer. */
  const reachable = async (): Promise<number | null> => {
    try {
      lastSeq = await readModels.seq();
      return lastSeq;
    } catch {
      return null;
    }
  };

  return implement(
    endpoints,
    {
      getHealth: async () => {
        const [seq, emailConfigured] = await Promise.all([reachable(), facts.isEmailConfigured()]);
        const body: HealthBody = {
          status: seq !== null && facts.isHealthy() ? 'ok' : 'degraded',
          version: facts.version,
          database: seq === null ? 'down' : 'ok',
          timestamp: iso(facts.now()),
          complianceMode: facts.complianceMode,
          emailConfigured,
        };
        return { body, seq: seq ?? lastSeq };
      },
      getOpenApi: () => ({ preSerialized: compressed, seq: lastSeq }),
    },
    authenticate,
  );
}
