import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DATABASE_ROLES, databaseSettingOf, databaseSettings } from '@paper/runtime/coordination';
import { ROLES_OF } from '@paper/supervisor';
import type { ServiceName } from '@paper/supervisor';
import { builtProgram } from './built.ts';

/** The password of all roles in all tests. Roles belong to the whole server, which the tests of a process share. */
export const ROLE_PASSWORD = 'OnlyForTheRolesOfTests';

/** Creates the roles as an operator does; returns the variables with which each service connects as its own. */
export async function prepareRoles(
  env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string },
): Promise<(name: ServiceName) => Readonly<Record<string, string>>> {
  const { args, cwd } = await builtProgram('services/command-api/src/database-roles/prepare');
  const urls = databaseSettings((role) => {
    const url = new URL(env.DATABASE_URL);
    url.username = DATABASE_ROLES[role];
    url.password = ROLE_PASSWORD;
    return url.href;
  });
  await promisify(execFile)(process.execPath, args, { cwd, env: { ...process.env, ...env, ...urls } });
  return (name) => {
    const [role, ...others] = ROLES_OF[name].map(databaseSettingOf);
    const further = Object.fromEntries(others.map((setting) => [setting, urls[setting]]));
    // The MCP server has no database.
    return { ...further, DATABASE_URL: role === undefined ? '' : urls[role] };
  };
}
