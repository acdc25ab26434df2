import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInstalled, isSecretSetting, readConfig } from '@paper/runtime';
import { DATABASE_ROLES } from '@paper/runtime/coordination';
import { SERVICE_NAMES, serviceSetSettings } from '@paper/supervisor';
import type { ServiceName } from '@paper/supervisor';
import { DockerfileParser } from 'dockerfile-ast';
import { commandApiSettings, rolesSettings } from '@paper/command-api';
import {
  assignments,
  completedVariables,
  composeFileWith,
  composeVariables,
  interpolateVariables,
  readComposeFile,
  replicasOf,
  WITH_TLS,
} from '../images/compose-file.ts';
import { SERVICE_SETTINGS } from '../docs/settings.ts';
import { MadeSecrets } from './made-secrets.ts';

const root = path.resolve(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Services that end when their work is done. */
const TASKS = ['roles', 'backup', 'restore', 'rotate'];
/** Those that are started by hand. */
const ON_DEMAND = ['backup', 'restore', 'rotate'];
/** The images of tasks that are no service's own. */
const TASK_PACKAGES: Readonly<Record<string, string>> = {
  'operator-cli': 'packages/operations/operator-cli',
};

/** Settings of services that .env does not pass on, and why. */
const NOT_PASSED: Readonly<Record<string, string>> = {
  HOST: 'the image has it',
  PORT: 'the image has it',
  METRICS_PORT: 'the image has it',
  TAPES_DIR: 'tapes are in the volume of backtests',
  PORTAL_INSECURE: 'passwords would cross the network unencrypted: use docker-compose.tls.yml, or a proxy with TLS',
};

/** The settings of `npm run start:services` that say how many of each run. */
const REPLICAS = {
  'command-api': 'COMMAND_APIS',
  projector: 'PROJECTORS',
  'query-api': 'QUERY_APIS',
  'stream-gateway': 'STREAM_GATEWAYS',
  portal: 'PORTALS',
  mcp: 'MCPS',
} as const satisfies Partial<Record<ServiceName, keyof typeof serviceSetSettings.shape>>;

describe('docker-compose.yml', () => {
  const composed = readComposeFile(root);
  const { services } = composed;
  const image = imageOf(text('infra/Dockerfile'));
  /** The variables of a completed .env. */
  const filled = completedVariables(root, (name) => name);
  const secrets = new MadeSecrets(root);
  after(() => secrets.remove());
  /** What a service finds in its environment and in its files of secrets. */
  const settingsOf = (name: string): Record<string, string> => {
    const given = Object.entries(services[name]?.environment ?? {});
    return secrets.opened(Object.fromEntries(given.map(([key, value]) => [key, interpolateVariables(value, filled)])));
  };

  it('runs every service that there is, each from the one Dockerfile', () => {
    const built = Object.entries(services).filter(([, { build }]) => build !== undefined);
    expect(built.map(([name]) => name)).to.have.members([...SERVICE_NAMES, ...TASKS]);
    expect(services['roles']).to.deep.include({ build: services['command-api']?.build });
    expect(services['backup']).to.have.nested.property('build.args.SERVICE', 'operator-cli');
    for (const name of ['restore', 'rotate']) {
      expect(services[name]).to.have.nested.property('build.args.SERVICE', 'standalone');
    }
    for (const [name, { build }] of built.filter(([other]) => !TASKS.includes(other))) {
      expect(build).to.include({ dockerfile: 'infra/Dockerfile' }).and.to.have.nested.property('args.SERVICE', name);
    }
  });

  it('runs as many of each service as npm run start:services', () => {
    const started = composeFileWith(root, filled).services;
    const given = Object.entries(REPLICAS).map(([name]) => [name, replicasOf(started[name]!)]);
    const usual = Object.entries(REPLICAS).map(([name, setting]) => [
      name,
      serviceSetSettings.shape[setting].parse(undefined),
    ]);
    expect(given).to.deep.equal(usual);
    expect(Object.fromEntries(given)).to.include({ 'command-api': 3 });
    // Two would not know of each other's processes.
    expect(replicasOf(started['backtests']!)).to.equal(1);
  });

  it('starts only what runs on, and backs up, restores and replaces secrets when asked', () => {
    const onDemand = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined);
    expect(onDemand.map(([name, { profiles }]) => [name, profiles])).to.deep.equal(
      ON_DEMAND.map((name) => [name, [name]]),
    );
    // A deletion is noted beside the backups that still have the name.
    for (const name of ['command-api', 'backup', 'restore']) {
      expect(services[name], name).to.have.nested.property('environment.BACKUP_DIR', '/backups');
      expect(services[name]?.volumes, name).to.deep.equal(['backups:/backups']);
    }
  });

  it('has programs for its tasks', () => {
    for (const name of TASKS) {
      const { build, command, entrypoint } = services[name]!;
      const service = build!.args.SERVICE;
      const folder = TASK_PACKAGES[service] ?? `services/${service}`;
      const source = path.join(root, folder, (entrypoint ?? command)!.at(-1)!.replace(/\.js$/, '.ts'));
      expect(existsSync(source), source).to.equal(true);
    }
  });

  for (const name of SERVICE_NAMES) {
    const given = Object.keys(services[name]?.environment ?? {}).map((key) => key.replace(/_FILE$/, ''));
    const known = Object.keys(SERVICE_SETTINGS[name].shape);

    it(`${name} accepts every setting that it is given`, () => {
      expect(known).to.include.members(given);
    });

    it(`${name} can be given every setting that it reads, but for those with a reason`, () => {
      expect(known.filter((key) => !given.includes(key) && !(key in NOT_PASSED))).to.deep.equal([]);
      expect(given.filter((key) => key in NOT_PASSED)).to.deep.equal([]);
    });

    it(`${name} is given all that it needs, and takes it`, () => {
      const config = readConfig(SERVICE_SETTINGS[name], { ...image.environment, ...settingsOf(name) });
      // Other containers, among them the front door, reach it.
      expect(config).to.include({ HOST: '0.0.0.0', METRICS_PORT: 9100 });
    });
  }

  it("gives each service the URL of its own role alone, and the owner's only to the tasks", () => {
    const users = Object.keys(services).flatMap((name) => {
      const url = settingsOf(name)['DATABASE_URL'];
      return url === undefined ? [] : [[name, new URL(url).username]];
    });
    expect(Object.fromEntries(users)).to.deep.equal({
      roles: 'paper',
      backup: 'paper',
      restore: 'paper',
      'command-api': DATABASE_ROLES.command,
      projector: DATABASE_ROLES.projector,
      'query-api': DATABASE_ROLES.reader,
      'stream-gateway': DATABASE_ROLES.reader,
      portal: DATABASE_ROLES.portal,
      backtests: DATABASE_ROLES.reader,
    });
    // Its processes, which the public trades in, see nothing of the exchange.
    const played = new URL(settingsOf('backtests')['BACKTESTS_DATABASE_URL'] ?? '');
    expect(played.username).to.equal(DATABASE_ROLES.backtests);
    for (const name of SERVICE_NAMES) {
      const { depends_on: others = {} } = services[name] ?? {};
      // The MCP server has no database.
      if (name === 'mcp') continue;
      expect(others, name).to.have.property('roles').that.deep.equals({ condition: 'service_completed_successfully' });
    }
    const { COMMAND_DATABASE_URL: url = '', READER_DATABASE_URL: other = '' } = settingsOf('roles');
    expect(readConfig(rolesSettings, settingsOf('roles'))).to.include({
      COMMAND_DATABASE_URL: settingsOf('command-api')['DATABASE_URL'],
      READER_DATABASE_URL: settingsOf('query-api')['DATABASE_URL'],
    });
    expect(new URL(url).password).not.to.equal(new URL(other).password);
  });

  it('gives secrets in files alone, and to each service those that it reads', () => {
    for (const [name, { environment = {}, secrets: mounted = [] }] of Object.entries(services)) {
      const plain = Object.keys(environment).filter((key) => isSecretSetting(key) || key.endsWith('_PASSWORD'));
      // Without a password in them: the networks lead nowhere.
      expect(['JOURNAL_URL', 'REDIS_URL'], name).to.include.members(plain);
      for (const key of plain) expect(new URL(environment[key]!).password, `${name} ${key}`).to.equal('');
      const read = Object.entries(environment).filter(([key]) => key.endsWith('_FILE') && key !== 'BACKUP_KEY_FILE');
      const files = read.flatMap(([key, value]) =>
        // What is not set by default names its file in .env.
        value.startsWith('${')
          ? [
              key
                .replace(/_FILE$/, '')
                .toLowerCase()
                .replaceAll('_', '-'),
            ]
          : [path.basename(value)],
      );
      if (name === 'rotate') continue;
      expect(mounted, name).to.have.members(files);
      for (const secret of mounted) {
        expect(composed.secrets[secret], secret).to.deep.equal({ file: `\${SECRETS_DIR:-./secrets}/${secret}` });
      }
    }
    // Users of EventStoreDB have theirs in infra/kubernetes/tls alone.
    const made = readdirSync(secrets.folder).filter((file) => !/journal-url$|^eventstore-/.test(file));
    expect(new Set(Object.keys(composed.secrets))).to.deep.equal(new Set(made));
    for (const file of readdirSync(secrets.folder)) {
      expect(statSync(path.join(secrets.folder, file)).mode & 0o777, file).to.equal(0o600);
    }
  });

  it('lets npm run rotate replace the files that the services read', () => {
    const { environment = {}, volumes = [] } = services['rotate'] ?? {};
    expect(volumes).to.deep.equal(['${SECRETS_DIR:-./secrets}:/secrets']);
    const files = Object.values(environment).filter((value) => value.startsWith('/secrets/'));
    const rotated = ['mcp-secret', 'operator-tokens', 'portal-secret'];
    for (const role of Object.keys(DATABASE_ROLES)) rotated.push(`${role}-database-url`);
    expect(files.map((file) => path.basename(file))).to.have.members(['database-url', ...rotated]);
  });

  it("gives the portal's token the scope of its own accounts", () => {
    const given = { ...image.environment, ...settingsOf('command-api') };
    const { OPERATOR_TOKENS: operators } = readConfig(commandApiSettings, given);
    expect(operators?.at(-1)).to.deep.equal({
      name: 'portal',
      token: settingsOf('portal')['PORTAL_TOKEN'],
      scopes: ['accounts-own'],
    });
  });

  it('gives every setting that two services share the same value', () => {
    for (const setting of ['JOURNAL_URL', 'REDIS_URL', 'SHARD', 'OPERATOR_TOKENS_FILE', 'COMPLIANCE_MODE']) {
      const values = SERVICE_NAMES.map((name) => services[name]?.environment?.[setting]).filter(
        (value) => value !== undefined,
      );
      expect(new Set(values).size, setting).to.equal(1);
    }
  });

  it('needs nothing of .env, and .env.example names all that can be said', () => {
    expect(new Set(composeVariables(root, WITH_TLS).map(({ name }) => name))).to.deep.equal(
      new Set(Object.keys(assignments(text('.env.example')))),
    );
    expect(composeVariables(root).filter(({ isRequired }) => isRequired)).to.deep.equal([]);
  });

  it('is reached by its front door alone, and from this machine only', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).to.deep.equal([['front-door', '127.0.0.1:${PORT:-4000}:4000']]);
    expect(composed.networks['inside']).to.deep.equal({ internal: true });
    const outside = Object.entries(services).filter(([, { networks = [] }]) => networks.includes('outside'));
    // The portal sends e-mails, and asks a company's server who signs in.
    expect(outside.map(([name]) => name)).to.have.members(['front-door', 'portal']);
  });

  it('pins versions, limits memory, drops rights and restarts, everywhere', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service.image, name).to.match(/:\d+\.\d+(\.\d+)?(-[\w.]+)?$/);
      expect(service, name).to.have.property('mem_limit');
      expect(service.restart, name).to.equal(TASKS.includes(name) ? 'no' : 'unless-stopped');
      expect(service.cap_drop, name).to.deep.equal(['ALL']);
      expect(service.security_opt, name).to.deep.equal(['no-new-privileges:true']);
      expect(service.privileged, name).to.equal(undefined);
    }
  });

  it('checks the health of each, and waits only for services with a check', () => {
    const tells = (name: string): boolean =>
      services[name]?.healthcheck !== undefined || (services[name]?.build !== undefined && image.checksHealth);
    expect(Object.keys(services).filter((name) => !tells(name))).to.deep.equal([]);
    for (const [name, { depends_on: others = {} }] of Object.entries(services)) {
      expect(Object.keys(services), name).to.include.members(Object.keys(others));
    }
  });

  it('runs EventStoreDB without telemetry and without projections', () => {
    expect(services['eventstore']?.environment).to.include({
      EVENTSTORE_TELEMETRY_OPTOUT: 'true',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
    });
  });

  it('has a front door with the addresses of the services', () => {
    const servers = [
      ...text('infra/front-door/compose.cfg').matchAll(/server-template \S+ \d+ ([\w-]+):(\d+) check port (\d+)/g),
    ];
    expect(new Set(servers.map(([, name]) => name))).to.deep.equal(
      new Set(SERVICE_NAMES.filter((name) => 'PORT' in SERVICE_SETTINGS[name].shape)),
    );
    for (const [, , port, health] of servers) {
      expect({ PORT: port, METRICS_PORT: health }).to.deep.equal({
        PORT: image.environment['PORT'],
        METRICS_PORT: image.environment['METRICS_PORT'],
      });
    }
  });

  it('has a front door that HAProxy accepts, without a warning', function () {
    if (!isInstalled('haproxy')) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('there is no haproxy on PATH');
      this.skip();
    }
    const { status, stderr } = spawnSync(
      'haproxy',
      ['-c', '-q', '-f', 'infra/front-door/haproxy.cfg', '-f', 'infra/front-door/compose.cfg'],
      { cwd: root, encoding: 'utf8', env: { ...process.env, FRONT_DOOR_BIND: '127.0.0.1:4000' } },
    );
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
  });
});

describe('npm run start:services', () => {
  it('uses the same names as the services', () => {
    const known = new Set(SERVICE_NAMES.flatMap((name) => Object.keys(SERVICE_SETTINGS[name].shape)));
    const own = [
      ...['COMMAND', 'PROJECTOR', 'READER', 'PORTAL'].map((role) => `${role}_DATABASE_URL`),
      ...['COMMAND', 'PROJECTOR', 'READER'].map((role) => `${role}_JOURNAL_URL`),
      'FRONT_DOOR_CERTIFICATE',
      'TLS_PORT',
      'COMMAND_APIS',
      'STREAM_GATEWAYS',
      'PROJECTORS',
      'PORTALS',
      'MCPS',
    ];
    expect(Object.keys(serviceSetSettings.shape).filter((name) => !known.has(name))).to.have.members(own);
  });
});

/** The settings of the Dockerfile's last stage. */
function imageOf(dockerfile: string): { environment: Record<string, string>; checksHealth: boolean } {
  const parsed = DockerfileParser.parse(dockerfile);
  const last = parsed.getFROMs().at(-1)!.getRange().start.line;
  const inLast = <I extends { getRange(): { start: { line: number } } }>(instructions: readonly I[]): readonly I[] =>
    instructions.filter((instruction) => instruction.getRange().start.line > last);
  const properties = inLast(parsed.getENVs()).flatMap((env) => env.getProperties());
  return {
    environment: Object.fromEntries(properties.map((one) => [one.getName(), one.getValue() ?? ''])),
    checksHealth: inLast(parsed.getHEALTHCHECKs()).length === 1,
  };
}
