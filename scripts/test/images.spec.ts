import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { baseImageOf, partsOf } from '../images/base-image.ts';
import {
  completedVariables,
  composeFileWith,
  interpolateVariables,
  inStartOrder,
  readComposeFile,
  WITH_TLS,
} from '../images/compose-file.ts';
import { mountedFiles, withFilesIn } from '../images/mounted-files.ts';
import { standInFor } from '../images/stand-ins.ts';

const root = path.resolve(import.meta.dirname, '../..');
const service = (...others: readonly string[]) => ({
  image: 'some/image:1.0',
  depends_on: Object.fromEntries(others.map((name) => [name, { condition: 'service_healthy' }])),
});

describe('npm run images', () => {
  it('makes the base that the Dockerfile names', () => {
    const base = baseImageOf(readFileSync(path.join(root, 'infra/Dockerfile'), 'utf8'));
    expect(partsOf(base)).to.have.keys('node', 'debian');
    expect(partsOf('node:24.18.0-bookworm-slim')).to.deep.equal({ node: '24.18.0', debian: 'bookworm' });
  });

  it('refuses a base that it cannot make, and stages that are on another one than the argument', () => {
    expect(() => partsOf('alpine:3.22')).to.throw('alpine:3.22 is not node:VERSION-DEBIAN-slim');
    expect(baseImageOf('ARG BASE=node:1\nFROM ${BASE} AS a\nFROM a AS b\n')).to.equal('node:1');
    for (const other of ['FROM node:2 AS c', 'FROM ${OTHER} AS c']) {
      const file = `ARG BASE=node:1\nFROM \${BASE} AS a\n${other}\n`;
      expect(() => baseImageOf(file)).to.throw(/every stage has to be on \$\{BASE\}/);
    }
    expect(() => baseImageOf('ARG BASE\nFROM ${BASE} AS a\n')).to.throw(/every stage/);
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
    expect(interpolateVariables('${A:?set it}/${B:-b}', { A: 'a' })).to.equal('a/b');
    expect(interpolateVariables('${B:-b}', { B: '' })).to.equal('b');
    expect(() => interpolateVariables('${A:?set it}', { A: '' })).to.throw('A is not set');
    expect(() => composeFileWith(root, {}, WITH_TLS)).to.throw(/EVENTSTORE_PASSWORD is not set/);
  });

  it('mounts the secrets of a service as files', () => {
    const { services } = composeFileWith(root, { SECRETS_DIR: '/etc/paper/secrets' });
    expect(mountedFiles(services['mcp']!)).to.deep.equal([
      { source: '/etc/paper/secrets/mcp-secret', target: '/run/secrets/mcp-secret' },
    ]);
    expect(mountedFiles(services['rotate']!)).to.deep.equal([{ source: '/etc/paper/secrets', target: '/secrets' }]);
  });

  it('merges docker-compose.tls.yml as Compose does', () => {
    const [plain, both] = [readComposeFile(root).services, readComposeFile(root, WITH_TLS).services];
    const door = both['front-door']!;
    expect(door.ports).to.deep.equal([...plain['front-door']!.ports!, '${TLS_PORT:-4443}:4443']);
    expect(door.environment).to.include({ FRONT_DOOR_BIND: '*:4000', FRONT_DOOR_TLS_BIND: '*:4443' });
    expect(both['command-api']!.depends_on).to.have.keys('roles', 'eventstore', 'eventstore-2', 'eventstore-3');
    expect(both['command-api']!.volumes).to.have.members([
      'backups:/backups',
      './certificates/ca.crt:/certificates/ca.crt:ro',
    ]);
    expect(both['eventstore']!.environment).to.include({ EVENTSTORE_CLUSTER_SIZE: '3', EVENTSTORE_INSECURE: 'false' });
    const health = both['eventstore']!.healthcheck!.test!;
    expect(health).to.deep.equal(both['eventstore-2']!.healthcheck!.test);
    expect(health).to.include('https://localhost:2113/health/live');
  });

  it('puts the files that a service mounts into its folder, and names them there', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mounted-'));
    const mounts = { image: 'i', volumes: ['./package.json:/etc/paper/package.json:ro', 'data:/data'] };
    const moved = withFilesIn(
      {
        ...mounts,
        command: ['run', '/etc/paper/package.json', '/data'],
        environment: { FILE: '/etc/paper/package.json' },
      },
      folder,
      (source) => path.join(root, source),
    );
    const there = path.join(folder, '/etc/paper/package.json');
    expect(moved).to.deep.include({ command: ['run', there, '/data'], environment: { FILE: there } });
    expect(readFileSync(there, 'utf8')).to.equal(readFileSync(path.join(root, 'package.json'), 'utf8'));
    rmSync(folder, { recursive: true });
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
