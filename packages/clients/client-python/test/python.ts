import { execFileSync } from 'node:child_process';

/** Pythons in the order in which they are tried. Debian's has the modules of its packages. */
const CANDIDATES = [process.env['PYTHON'], 'python3', '/usr/bin/python3', 'pypy3'];

/** A Python that has these modules; null where there is none. */
export function pythonWith(...modules: readonly string[]): string | null {
  const script = modules.map((name) => `import ${name}`).join('\n');
  return CANDIDATES.find((one) => one !== undefined && runs(one, script)) ?? null;
}

function runs(program: string, script: string): boolean {
  try {
    execFileSync(program, ['-c', script], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Skips the test, by name, where a program is missing. With REQUIRE_SERVERS=1 (as in CI) it fails instead. */
export function skipWithout(context: Mocha.Context, program: string | null, needed: string): asserts program is string {
  if (program !== null) return;
  if (process.env['REQUIRE_SERVERS'] === '1') throw new Error(`This test needs ${needed}`);
  context.skip();
}
