import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PACKAGE = 'packages/clients/client-python';
/** Debian's own Python has the modules of Debian's packages; another one that comes first on PATH does not. */
const PYTHONS = [process.env.PYTHON, 'python3', '/usr/bin/python3'];
const MODULES = ['build', 'setuptools', 'wheel'];

/** Builds the wheel and the sdist of the Python client into a folder, without a network. Returns the exit code. */
export function buildPython(root, [folder]) {
  const out = path.resolve(root, folder ?? `${PACKAGE}/dist`);
  // Builds a copy of the sources, since setuptools leaves folders beside them.
  const copy = mkdtempSync(path.join(tmpdir(), 'papertrading-'));
  try {
    for (const name of ['pyproject.toml', 'README.md', 'src/papertrading']) {
      cpSync(path.join(root, PACKAGE, name), path.join(copy, name), {
        recursive: true,
        filter: (source) => !source.includes('__pycache__'),
      });
    }
    cpSync(path.join(root, 'LICENSE'), path.join(copy, 'LICENSE'));
    const python = PYTHONS.find((one) => one !== undefined && hasModules(one, copy));
    if (python === undefined) {
      process.stderr.write(
        `No Python with ${MODULES.join(', ')} was found: apt-get install python3-build python3-setuptools python3-wheel, or set PYTHON.\n`,
      );
      return 2;
    }
    execFileSync(python, ['-m', 'build', '--no-isolation', '--outdir', out, copy], { cwd: copy, stdio: 'pipe' });
    process.stdout.write(`Built into ${path.relative(root, out)}.\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
    return 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function hasModules(python, cwd) {
  try {
    execFileSync(python, ['-c', MODULES.map((name) => `import ${name}`).join('; ')], { cwd, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
