import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { baseOf, partsOf } from '../images/base-image.ts';
import {
  completedVariables,
  composeFileWith,
  interpolated,
  inStartOrder,
  readComposeFile,
} from '../images/compose-file.ts';
import { standInFor } from '../images/stand-ins.ts';

const root = path.resolve(import.meta.dirname, '../..');
const service = (...others: readonly string[]) => ({
  image: 'some/image:1.0',
  depends_on: Object.fromEntries(others.map((name) => [name, { condition: 'service_healthy' }])),
});

describe('npm run images', () => {
  it('makes the base that the Dockerfile names', () => {
    const base = baseOf(readFileSync(path.join(root, 'infra/Dockerfile'), 'utf8'));
    expect(partsOf(base)).to.have.keys('node', 'debian');
    expect(partsOf('node:24.18.0-bookworm-slim')).to.deep.equal({ node: '24.18.0', debian: 'bookworm' });
  });

  it('refuses a base that it cannot make, and several', () => {
    expect(() => partsOf('alpine:3.22')).to.throw('alpine:3.22 is not node:VERSION-DEBIAN-slim');
    expect(() => baseOf('FROM node:1 AS a\nFROM a AS b\nFROM node:2 AS c\n')).to.throw(/one base was expected/);
  });

  it('starts each service after those that it depends on', () => {
    const order = inStartOrder({
      door: service('reads', 'writes'),
      writes: service('roles'),
      reads: service(),
      roles: service(),
    });
    expect(order).to.deep.equal(['reads', 'roles', 'writes', 'door']);
    expect(() => inStartOrder({ a: service('b'), b: service('a') })).to.throw('a → b → a');
    const { services } = readComposeFile(root);
    expect(inStartOrder(services)).to.have.members(Object.keys(services));
  });

  it('fills variables in as Compose does', () => {
    expect(interpolated('${A:?set it}/${B:-b}', { A: 'a' })).to.equal('a/b');
    expect(interpolated('${B:-b}', { B: '' })).to.equal('b');
    expect(() => interpolated('${A:?set it}', { A: '' })).to.throw('A is not set');
    expect(() => composeFileWith(root, {})).to.throw(/is not set/);
  });

  it('has a program of this machine in place of every image of others', () => {
    const { services } = composeFileWith(
      root,
      completedVariables(root, (name) => name),
    );
    for (const { build, image } of Object.values(services)) {
      if (build === undefined) expect(standInFor(image), image).to.have.property('program');
    }
    expect(() => standInFor('other/image:1.0')).to.throw(
      'no program of this machine is known in place of other/image:1.0',
    );
  });
});
