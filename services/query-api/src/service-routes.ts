import { gzipSync } from 'node:zlib';
import { openApiDocument } from '@paper/contracts';
import type { HealthBody } from '@paper/contracts/service';
import { iso } from '@paper/contracts/units';
import { BeingFilled } from '@paper/read-models';
import type { ReadModels } from '@paper/read-models';
import { preSerialize } from '@paper/http';
import type { Handlers } from './route-parts.ts';

export interface ServiceFacts {
  readonly version: string;
  readonly complianceMode: HealthBody['complianceMode'];
  /** False while a part has failed (a projection that stopped, a writer that was fenced). */
  readonly isHealthy: () => boolean;
  /** Whether the portal can send e-mail. Must not reject. */
  readonly isEmailConfigured: () => Promise<boolean>;
  readonly now: () => number;
}

export function serviceHandlers(facts: ServiceFacts, readModels: ReadModels): Handlers {
  const document = preSerialize({ body: openApiDocument(), seq: 0 }).preSerialized;
  const compressed = { ...document, gzip: gzipSync(document.bytes) };
  let lastSeq = 0;

  const look = async (): Promise<{ readonly serves: boolean; readonly database: HealthBody['database'] }> => {
    try {
      lastSeq = await readModels.seq();
      return { serves: true, database: 'ok' };
    } catch (error) {
      return { serves: false, database: error instanceof BeingFilled ? 'ok' : 'down' };
    }
  };

  return {
    getHealth: async () => {
      const [{ serves, database }, emailConfigured] = await Promise.all([look(), facts.isEmailConfigured()]);
      const body: HealthBody = {
        status: serves && facts.isHealthy() ? 'ok' : 'degraded',
        version: facts.version,
        database,
        timestamp: iso(facts.now()),
        complianceMode: facts.complianceMode,
        emailConfigured,
      };
      return { body, seq: lastSeq };
    },
    getOpenApi: () => ({ preSerialized: compressed, seq: lastSeq }),
  };
}
