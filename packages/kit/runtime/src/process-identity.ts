import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';

/** The start time of a process, null if there is none: after a crash another process may have its pid. */
export function processStartedAt(pid: number): string | null {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain spaces. Fields 3 and on follow it; field 22 is the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie counts as ended: its parent has just not collected it yet.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

export function isProcessOf(pid: number, program: string, folder: string): boolean {
  if (process.platform !== 'linux') {
    const command = ps(pid, 'command');
    return command?.includes(program) === true && command.includes(folder);
  }
  try {
    // After an update of the binaries, the link of a running program ends in " (deleted)".
    const running = basename(readlinkSync(`/proc/${pid}/exe`)).replace(' (deleted)', '');
    return running === program && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    // The process has ended, or belongs to another user and so was not started here.
    return false;
  }
}

/** The npm command that a process runs (`npm run export`); null if it runs another program, or has ended. */
export function npmCommandOf(pid: number): string | null {
  const [, name] = /scripts\/run\.mjs\s(\S+)/.exec(ps(pid, 'command') ?? '') ?? [];
  if (name === undefined) return null;
  return name === 'start' ? 'npm start' : `npm run ${name}`;
}

function ps(pid: number, column: string): string | null {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
