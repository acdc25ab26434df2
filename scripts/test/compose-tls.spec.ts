import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolesSettings } from '@paper/command-api';
import { isInstalled } from '@paper/runtime';
import { expect } from 'chai';
import { parse } from 'yaml';
import { SERVICE_SETTINGS } from '../docs/settings.ts';
import { interpolateVariables, readComposeFile } from '../images/compose-file.ts';
import type { ComposeFile } from '../images/compose-file.ts';

const root = path.resolve(import.meta.dirname, '../..');
const NODES = ['eventstore', 'eventstore-2', 'eventstore-3'];
const PASSWORDS = {
  EVENTSTORE_COMMAND_PASSWORD: 'ofCommandApi12345',
  EVENTSTORE_PASSWORD: 'p4ssword',
  EVENTSTORE_PROJECTOR_PASSWORD: 'ofProjector123456',
  EVENTSTORE_READER_PASSWORD: 'ofReaders12345678',
};
/** The users of EventStoreDB; every other service reads alone. */
const USERS: Readonly<Record<string, string>> = {
  'command-api': 'paper_command',
  projector: 'paper_projector',
  roles: 'admin',
};
/** The services that reach the journal. */
const CLIENTS = {
  roles: rolesSettings,
  ...Object.fromEntries(Object.entries(SERVICE_SETTINGS).filter(([, { shape }]) => 'JOURNAL_URL' in shape)),
};

(isInstalled('openssl') ? describe : describe.skip)('docker-compose.tls.yml', function () {
  this.timeout(30_000);
  const text = readFileSync(path.join(root, 'docker-compose.tls.yml'), 'utf8');
  const { services, volumes } = parse(text, { merge: true }) as ComposeFile;
  const plain = readComposeFile(root).services;
  let folder: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-certificates-'));
    rmSync(folder, { recursive: true });
    execFileSync('sh', [path.join(root, 'infra/certificates/make.sh'), folder], {
      env: { ...process.env, HOST: 'paper.example' },
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const certificate = (file: string): X509Certificate => new X509Certificate(readFileSync(path.join(folder, file)));

  it('changes services that there are, and adds the other nodes of the cluster', () => {
    const added = Object.keys(services).filter((name) => plain[name] === undefined);
    expect(added).to.deep.equal(['eventstore-2', 'eventstore-3']);
    for (const name of added) {
      const { cap_drop, image, mem_limit, networks, restart, security_opt } = services[name]!;
      const of = plain['eventstore']!;
      expect({ cap_drop, image, mem_limit, networks, restart, security_opt }, name).to.deep.equal({
        cap_drop: of.cap_drop,
        image: of.image,
        mem_limit: of.mem_limit,
        networks: of.networks,
        restart: of.restart,
        security_opt: of.security_opt,
      });
      expect(volumes).to.have.property(`${name}-data`);
    }
  });

  it('runs the nodes as the one of docker-compose.yml: without projections', () => {
    const alone = plain['eventstore']?.environment?.['EVENTSTORE_RUN_PROJECTIONS'];
    for (const node of NODES) {
      const { environment = {} } = services[node] ?? {};
      expect(environment['EVENTSTORE_RUN_PROJECTIONS'], node).to.equal(alone);
      expect(environment, node).not.to.have.property('EVENTSTORE_START_STANDARD_PROJECTIONS');
    }
  });

  it('names each node to the others, and gives all the same certificate and passwords', () => {
    for (const node of NODES) {
      const { environment = {} } = services[node] ?? {};
      expect(environment['EVENTSTORE_GOSSIP_SEED']?.split(','), node).to.have.members(
        NODES.filter((other) => other !== node).map((other) => `${other}:2113`),
      );
      expect(environment, node).to.include({
        EVENTSTORE_CLUSTER_SIZE: '3',
        EVENTSTORE_INSECURE: 'false',
        EVENTSTORE_NODE_HOST_ADVERTISE_AS: node,
        EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: node,
      });
      expect(certificate('eventstore.crt').checkHost(node), node).to.equal(node);
    }
    expect(certificate('eventstore.crt').subject).to.equal('CN=eventstoredb-node');
  });

  it('gives each service that reaches the journal a connection that it takes, and the authority', () => {
    for (const [name, schema] of Object.entries(CLIENTS)) {
      const { environment = {}, volumes: mounted = [] } = services[name] ?? {};
      expect(mounted, name).to.include('./certificates/ca.crt:/certificates/ca.crt:ro');
      const url = interpolateVariables(environment['JOURNAL_URL'] ?? '', PASSWORDS);
      for (const node of NODES) expect(url).to.include(`${node}:2113`);
      expect(url, name).to.match(new RegExp(`^esdb://${USERS[name] ?? 'paper_reader'}:`));
      const here = url.replace('/certificates/ca.crt', path.join(folder, 'ca.crt'));
      expect(schema.shape.JOURNAL_URL.safeParse(here), name).to.have.property('success', true);
    }
    const others = Object.keys(plain).filter((name) => plain[name]?.environment?.['JOURNAL_URL'] !== undefined);
    expect(others.filter((name) => services[name]?.environment?.['JOURNAL_URL'] === undefined)).to.deep.equal([]);
  });

  it('mounts files that the script has made, signed by its authority', () => {
    const mounted = Object.values(services).flatMap(({ volumes: all = [] }) =>
      all.flatMap((volume) => /^\.\/certificates\/([^:]+):/.exec(volume)?.[1] ?? []),
    );
    for (const file of new Set(mounted)) expect(statSync(path.join(folder, file)).size, file).to.be.greaterThan(0);
    for (const file of ['eventstore.crt', 'front-door.pem']) {
      expect(certificate(file).verify(certificate('ca.crt').publicKey), file).to.equal(true);
    }
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    expect(statSync(path.join(folder, 'ca.key')).mode & 0o777).to.equal(0o600);
  });

  it('does not make an authority in place of another', () => {
    const { status, stderr } = spawnSync('sh', [path.join(root, 'infra/certificates/make.sh'), folder], {
      encoding: 'utf8',
    });
    expect(status).to.equal(1);
    expect(stderr).to.include('has an authority already');
  });

  it('has a front door with TLS that HAProxy accepts, without a warning', function () {
    if (!isInstalled('haproxy')) this.skip();
    const { environment = {}, ports = [] } = services['front-door'] ?? {};
    expect(ports).to.deep.equal(['${TLS_PORT:-4443}:4443']);
    expect(environment['FRONT_DOOR_TLS_BIND']).to.equal('*:4443');
    const env = {
      ...process.env,
      FRONT_DOOR_BIND: '127.0.0.1:4000',
      FRONT_DOOR_TLS_BIND: '127.0.0.1:4443',
      FRONT_DOOR_CERTIFICATE: path.join(folder, 'front-door.pem'),
    };
    const files = ['-f', 'infra/front-door/haproxy.cfg', '-f', 'infra/front-door/compose.cfg'];
    const { status, stderr } = spawnSync('haproxy', ['-c', '-q', ...files], { cwd: root, encoding: 'utf8', env });
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
  });
});
