import { COMMANDS } from '@paper/commands';
import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { filesBelow } from '../run/workspace.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const folder = 'packages/operations/operator-cli';

/** The programs that run after `npm start` alone has installed: without development tools. */
const programs = Object.values(COMMANDS).flatMap(({ install, program = '' }) =>
  install === undefined && program.startsWith(`${folder}/`) ? [program] : [],
);

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

function dependenciesOf(manifest: string): readonly string[] {
  const { dependencies } = JSON.parse(read(manifest)) as { readonly dependencies: Record<string, string> };
  return Object.keys(dependencies);
}

describe('the dependencies that npm start installs', () => {
  const dependencies = dependenciesOf(`${folder}/package.json`);

  it('has every operator’s command', () => {
    expect(programs).to.include.members(
      ['audit', 'rebuild', 'snapshot'].map((name) => `${folder}/src/programs/${name}.ts`),
    );
  });

  for (const program of programs) {
    it(`is all that ${program} needs`, () => {
      expect(dependencies).to.include.members([...packagesOf(program)]);
    });
  }

  it('are all that the portal bundles for browsers: its start failed in a fresh clone', () => {
    const installed = [...dependenciesOf('services/portal/package.json'), ...dependenciesOf('package.json')];
    const files = filesBelow(root, ['services/portal/web']).filter((file) => /\.tsx?$/.test(file));
    const needed = new Set(files.flatMap((file) => [...packagesOf(file)]));
    expect([...needed]).to.include('@paper/client-files');
    expect(installed).to.include.members([...needed]);
  });
});
