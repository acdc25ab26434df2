import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const folder = 'packages/operations/operator-cli';

/** The programs that run after `npm start` alone has installed: without development tools. */
const programs = [
  ...read('scripts/run.mjs').matchAll(/script\('prod', path\.join\(OPERATOR_PROGRAMS, '([\w-]+\.ts)'\)\)/g),
].map(([, file]) => `${folder}/src/programs/${file!}`);

/** The packages that a file and its own imports need. */
function packagesOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const packages = new Set<string>();
  if (seen.has(file) || !existsSync(path.join(root, file))) return packages;
  seen.add(file);
  for (const [, typeOnly, from] of read(file).matchAll(/^(?:import|export)( type)?[^;]*? from '([^']+)';/gms)) {
    if (typeOnly !== undefined || from === undefined || isBuiltin(from)) continue;
    if (from.startsWith('.')) {
      for (const one of packagesOf(path.join(path.dirname(file), from), seen)) packages.add(one);
    } else {
      packages.add(/^(@[^/]+\/)?[^/]+/.exec(from)![0]);
    }
  }
  return packages;
}

describe('the dependencies that npm start installs', () => {
  const { dependencies } = JSON.parse(read(`${folder}/package.json`)) as {
    readonly dependencies: Record<string, string>;
  };

  it('has every operator’s command', () => {
    expect(programs).to.include.members(
      ['audit', 'rebuild', 'snapshot'].map((name) => `${folder}/src/programs/${name}.ts`),
    );
  });

  for (const program of programs) {
    it(`is all that ${program} needs`, () => {
      expect(Object.keys(dependencies)).to.include.members([...packagesOf(program)]);
    });
  }
});
