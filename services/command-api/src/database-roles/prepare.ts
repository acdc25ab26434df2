import { report, runCommand, showWhile } from '@paper/commands';
import { prepareEventStore } from '@paper/journal';
import { readConfig } from '@paper/runtime';
import { byRole, DATABASE_ROLES, databaseSettingOf } from '@paper/runtime/coordination';
import { prepareRoles } from './roles.ts';
import { rolesSettings } from './settings.ts';

/** `npm run roles`, which docker-compose.yml runs first (see roles.ts and access.ts). Exit code 2: it failed. */
await runCommand<object>('roles', async ({ options }) => {
  const config = readConfig(rolesSettings);
  const urls = byRole((role) => config[databaseSettingOf(role)]);
  const { JOURNAL_URL: connectionString, SHARD: shard } = config;
  const owner = { connectionString: config.DATABASE_URL, shard, journalIsHere: connectionString === undefined };
  const passwords = Object.fromEntries(
    Object.entries(urls).flatMap(([role, url]) => (url === undefined ? [] : [[role, new URL(url).password]])),
  );
  await showWhile('Making the roles', () => prepareRoles(owner, passwords));
  if (connectionString !== undefined) {
    const { COMMAND_JOURNAL_URL: appender, PROJECTOR_JOURNAL_URL, READER_JOURNAL_URL } = config;
    const readers = [PROJECTOR_JOURNAL_URL, READER_JOURNAL_URL].filter((url) => url !== undefined);
    await showWhile('Making the users of EventStoreDB', () =>
      prepareEventStore({ appender, connectionString, readers, shard }),
    );
  }
  const { command, projector, reader, portal, backtests } = DATABASE_ROLES;
  report(
    options,
    DATABASE_ROLES,
    `${command} is for command-api, ${projector} for projector, ${reader} for query-api, stream-gateway and ` +
      `the keys of backtests, ${portal} for portal, ${backtests} for backtests.`,
  );
});
