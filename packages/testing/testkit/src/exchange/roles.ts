import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceName } from '@paper/supervisor';
import { builtProgram } from './built.ts';

/** One password for all roles in all tests: roles belong to the whole server, which a process's tests share. */
export const ROLE_PASSWORD = 'OnlyForTheRolesOfTests';

/** The MCP server has no database. */
const ROLE_OF: Readonly<Partial<Record<ServiceName, string>>> = {
  'command-api': 'paper_command',
  projector: 'paper_projector',
  'query-api': 'paper_reader',
  'stream-gateway': 'paper_reader',
  portal: 'paper_portal',
  backtests: 'paper_reader',
};

/**
 * Creates the roles as an operator does, in the database of DATABASE_URL.
 * @returns the variables that replace the owner's DATABASE_URL for a service.
 */
export async function prepareRoles(
  env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string },
): Promise<(name: ServiceName) => Readonly<Record<string, string>>> {
  const { args, cwd } = await builtProgram('services/command-api/src/database-roles/prepare');
  const urlOf = (role: string): string => {
    const url = new URL(env.DATABASE_URL);
    url.username = role;
    url.password = ROLE_PASSWORD;
    return url.href;
  };
  const urls = {
    COMMAND_DATABASE_URL: urlOf('paper_command'),
    PROJECTOR_DATABASE_URL: urlOf('paper_projector'),
    READER_DATABASE_URL: urlOf('paper_reader'),
    PORTAL_DATABASE_URL: urlOf('paper_portal'),
    BACKTESTS_DATABASE_URL: urlOf('paper_backtests'),
  };
  await promisify(execFile)(process.execPath, args, { cwd, env: { ...process.env, ...env, ...urls } });
  return (name) => {
    const role = ROLE_OF[name];
    const own = name === 'backtests' ? { BACKTESTS_DATABASE_URL: urls.BACKTESTS_DATABASE_URL } : {};
    return { ...own, DATABASE_URL: role === undefined ? '' : urlOf(role) };
  };
}
