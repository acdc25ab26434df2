import { ApiError } from '@paper/contracts';
import {
  findKeyOwner,
  findOrderOwner,
  findPublicName,
  FRESHNESS_TIMEOUT_MS,
  type ProgressSource,
  type ReadModels,
} from '@paper/read-models';
import type { ReadModel } from './routes/command-gateway.ts';

/** What the command side asks the read models, answered by the read models themselves. */
export function readModelOf(readModels: ReadModels, progress: ProgressSource): ReadModel {
  return {
    async fresh(seq) {
      if (await progress.reached(seq, FRESHNESS_TIMEOUT_MS)) return;
      throw new ApiError('unavailable', 'the read models are behind the journal; try again', 503, {
        'Retry-After': '1',
      });
    },
    keyOwner: (keyId) => readModels.read(({ db }) => findKeyOwner(db, keyId)),
    endedOrder: (orderId) => readModels.read(({ db }) => findOrderOwner(db, orderId)),
    publicName: (accountId) => readModels.read(({ db }) => findPublicName(db, accountId)),
  };
}
