import { createCommandSide, decidingOptions, readModelOf } from '@paper/command-api';
import { createSnapshots, observeBackups } from '@paper/command-side';
import { ErasureLog, withErasureLog, openNames, defaultBackupDir } from '@paper/names';
import type { ErasureLogOptions } from '@paper/names';
import { databaseClock } from '@paper/runtime';
import { readSecret } from '@paper/runtime/coordination';
import { VERSION } from '@paper/contracts';
import { lagBehind, toProjectionReport } from '@paper/read-models';
import type { StandaloneConfig } from './config.ts';
import type { SharedParts, ReadSide } from './read-side.ts';
import { afterFill } from './start-point.ts';
import { describe } from './storage-health.ts';

/** Opens the command side with its names and snapshots. It does not lead before it is started. */
export async function openCommandSide(
  { databases, houseAccounts, journal, onIdleError, persist, running, storage }: SharedParts,
  { projector, reader }: ReadSide,
  config: StandaloneConfig,
) {
  const { fail, logger, metrics, teardown } = running;
  const { journalCheck, progress, readModels } = reader;
  const databaseUrl = databases.command;
  const every = config.SNAPSHOT_EVERY;
  const snapshots = createSnapshots({ journal, databaseUrl, shard: 'main', build: VERSION, every, logger, metrics });
  await teardown.add('snapshots', () => snapshots.stop());
  const store = await persist(() => openNames({ connectionString: databaseUrl, shard: 'main', onIdleError }));
  const erasures = erasuresOf(config);
  observeBackups(metrics, erasures.folder);
  const names = withErasureLog(store, new ErasureLog(erasures));
  await teardown.add('names', () => names.close());
  const commandSide = createCommandSide({
    journal,
    loadFrom: afterFill(snapshots.begin, journal, projector.filled),
    ...decidingOptions(config, (fleet) => houseAccounts.has(fleet)),
    build: VERSION,
    shard: 'main',
    readModel: readModelOf(readModels, progress),
    names,
    fingerprintSecret: await persist(() => readSecret(databaseUrl, 'fingerprints')),
    projections: (journalSeq) => {
      const { name, checkpoint } = projector.status();
      const lag = lagBehind(journalSeq, { ...checkpoint, name });
      return Promise.resolve([toProjectionReport(lag, journalCheck.divergence)]);
    },
    databaseClock: () => databaseClock(databaseUrl),
    onFenced: fail,
    unstorableReason: () => (storage.problem === null ? null : describe(storage.problem)),
    logger,
    metrics,
    tracing: running.tracing,
  });
  await teardown.add('command side', () => commandSide.stop(1_500));
  return { commandSide, snapshots };
}

/** Where deletions are recorded: in the configured folder of backups, or in the usual one once it has a backup. */
function erasuresOf({ BACKUP_DIR: given, DATA_DIR: dataDir }: StandaloneConfig): ErasureLogOptions {
  return given === undefined
    ? { folder: defaultBackupDir(dataDir), required: false }
    : { folder: given, required: true };
}
