import { print, printError, readConfig } from '@paper/runtime';
import { DATABASE_ROLES, prepareRoles } from './roles.ts';
import { rolesSettings } from './settings.ts';

/**
 * `npm run roles`: creates the database's tables and roles as its owner, then exits. docker-compose.yml runs it before
 * the services. Exit code 2: it failed, with the reason on standard error.
 */
try {
  const config = readConfig(rolesSettings);
  await prepareRoles(
    {
      connectionString: config.DATABASE_URL,
      shard: config.SHARD,
      journalIsHere: config.JOURNAL_URL === undefined,
    },
    {
      ...(config.COMMAND_PASSWORD === undefined ? {} : { command: config.COMMAND_PASSWORD }),
      ...(config.PROJECTOR_PASSWORD === undefined ? {} : { projector: config.PROJECTOR_PASSWORD }),
      ...(config.READER_PASSWORD === undefined ? {} : { reader: config.READER_PASSWORD }),
      ...(config.PORTAL_PASSWORD === undefined ? {} : { portal: config.PORTAL_PASSWORD }),
    },
  );
  const { command, projector, reader, portal } = DATABASE_ROLES;
  print(
    `${command} is for command-api, ${projector} for projector, ${reader} for query-api and stream-gateway, ` +
      `${portal} for portal.`,
  );
} catch (error) {
  printError(error);
  process.exitCode = 2;
}
