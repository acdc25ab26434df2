import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const running = new Set<ChildProcess>();

/** Kills the child when this process exits. One exit listener serves all children, since Node warns of many. */
export function killAtExit(child: ChildProcess): void {
  if (running.size === 0) process.once('exit', killAll);
  running.add(child);
  child.once('close', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killAll);
  });
}

export async function endOf(child: ChildProcess): Promise<string> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Node's options for one of our programs: this process's without a debugger's port, with a loader for TypeScript. */
export function nodeOptionsFor(program: string): string[] {
  const own = process.execArgv.filter((option) => !option.startsWith('--inspect'));
  const readsTypeScript = path.extname(program) !== '.ts' || own.some((option) => option.includes('tsx'));
  return readsTypeScript ? own : [...own, '--import', import.meta.resolve('tsx')];
}
