import { Unavailable } from '@paper/contracts';
import { FRESHNESS_TIMEOUT_MS, queries } from '@paper/read-models';
import type { ProgressSource, ReadModels } from '@paper/read-models';
import type { ReadModel } from './command-gateway.ts';

/** Implements the command side's few reads of the read models. */
export function readModelOf(readModels: ReadModels, progress: ProgressSource): ReadModel {
  return {
    async fresh(seq) {
      if (await progress.reached(seq, FRESHNESS_TIMEOUT_MS)) return;
      throw new Unavailable('the read models are behind the journal; try again');
    },
    keyOwner: (keyId) => readModels.read(({ db }) => queries.findKeyOwner(db, keyId)),
    keyHolder: async (keyId) => (await readModels.queryOne(queries.meOf, keyId)).value,
    key: (keyId) => readModels.read(({ db }) => queries.findKey(db, keyId)),
    marketRecord: (marketId, fromSeq, afterClose) =>
      readModels.read(({ db }) => queries.findMarketRecord(db, marketId, fromSeq, afterClose)),
    order: (orderId) => readModels.read(({ db }) => queries.findAnyOrder(db, orderId)),
    publicName: (accountId) => readModels.read(({ db }) => queries.findPublicName(db, accountId)),
  };
}
