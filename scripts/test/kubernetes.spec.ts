import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { journalSettings } from '@paper/journal';
import { isInstalled, isSecretSetting } from '@paper/runtime';
import { SERVICE_NAMES } from '@paper/supervisor';
import { DockerfileParser } from 'dockerfile-ast';
import { parse, parseAllDocuments } from 'yaml';
import {
  assignments,
  completedVariables,
  composeFileWith,
  readComposeFile,
  replicasOf,
  WITH_TLS,
} from '../images/compose-file.ts';
import { unknownFieldsOf } from './kubernetes-fields.ts';
import { manifestsOf, NetworkPolicies, workloadsOf } from './kubernetes-manifests.ts';
import type { Manifest, ProjectedVolume, Variable, Workload } from './kubernetes-manifests.ts';
import { MadeSecrets } from './made-secrets.ts';

const root = path.resolve(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const folder = path.join(root, 'infra/kubernetes/base');

/** A class of kubernetes-models, whose `validate` was compiled by ajv from the OpenAPI document of Kubernetes. */
type Model = new (manifest: Manifest) => { validate(): void };

function validate(manifest: Manifest): void {
  const { apiVersion, kind } = manifest;
  // Its own module: that of the whole version takes seconds to load.
  const models = createRequire(import.meta.url)(`kubernetes-models/${apiVersion}/${kind}`) as Record<string, Model>;
  const KindOf = models[kind];
  if (KindOf === undefined) throw new Error(`${apiVersion} has no ${kind}`);
  new KindOf(manifest).validate();
}

/** What kubectl makes of a kustomization. */
function builtBy(kustomization: string): readonly Manifest[] {
  const built = spawnSync('kubectl', ['kustomize', kustomization], { cwd: root, encoding: 'utf8' });
  expect({ status: built.status, stderr: built.stderr }).to.deep.equal({ status: 0, stderr: '' });
  return parseAllDocuments(built.stdout).map((document) => document.toJS() as Manifest);
}

/** A value as docker-compose.yml would write it, without what it says of missing ones: `a:${NAME}`. */
const withoutDefaults = (value: string): string => value.replace(/\$\{(\w+):[-?][^}]*\}/g, '${$1}');

function asInCompose(env: readonly Variable[]): Record<string, string> {
  const given = env.filter((one) => one.valueFrom?.fieldRef === undefined);
  return Object.fromEntries(
    given.map(({ name, value, valueFrom }) => [name, value ?? `\${${valueFrom?.configMapKeyRef?.key ?? ''}}`]),
  );
}

describe('infra/kubernetes', () => {
  const manifests = manifestsOf(folder);
  const workloads = workloadsOf(manifests);
  const named = new Map(workloads.map((workload) => [workload.name, workload]));
  const composed = readComposeFile(root).services;
  /** Without what replaces secrets in files of the operator's. */
  const names = Object.keys(composed).filter((name) => name !== 'rotate');
  const secrets = new MadeSecrets(root);
  after(() => secrets.remove());
  const variables = completedVariables(root, (name) => name);
  const filled = composeFileWith(root, variables).services;
  const exposed = DockerfileParser.parse(text('infra/Dockerfile'))
    .getInstructions()
    .find((one) => one.getKeyword() === 'EXPOSE')!
    .getArguments()
    .map((port) => Number(port.getValue()));
  const containerOf = (name: string) => named.get(name)!.pod.containers[0];

  it('is valid by the schemas of Kubernetes, which refuse what is not', () => {
    for (const manifest of manifests) validate(manifest);
    expect(manifests.length).to.be.greaterThan(30);
    const [workload] = manifests.filter(({ kind }) => kind === 'Deployment');
    const wrong = { ...workload!, spec: { ...(workload!.spec as object), replicas: 'three' } };
    expect(() => validate(wrong)).to.throw(/replicas/);
  });

  it('has no field that Kubernetes does not have, which its schemas would let pass', function () {
    this.timeout(60_000);
    expect(unknownFieldsOf(manifests)).to.deep.equal([]);
    const [backup] = manifests.filter(({ kind }) => kind === 'CronJob');
    const wrong = { ...backup!, spec: { ...(backup!.spec as object), startingDeadlineSecond: 60 } };
    expect(unknownFieldsOf([wrong]).join()).to.match(/startingDeadlineSecond/);
  });

  it('has nothing of Kustomize that is deprecated', () => {
    for (const one of ['base', 'example', 'tls']) {
      const kustomization = parse(text(`infra/kubernetes/${one}/kustomization.yaml`)) as object;
      const fields = ['apiVersion', 'kind', 'resources', 'patches', 'images'];
      expect(fields, one).to.include.members(Object.keys(kustomization));
    }
  });

  it('is built by kubectl, with the images and settings of an operator', function () {
    if (!isInstalled('kubectl')) this.skip();
    const built = spawnSync('kubectl', ['kustomize', 'infra/kubernetes/example'], { cwd: root, encoding: 'utf8' });
    expect(built.status, built.stderr).to.equal(0);
    expect(built.stderr).to.equal('');
    expect(built.stdout.match(/^kind: /gm)).to.have.length(manifests.length);
    expect(built.stdout).to.include('PUBLIC_URL: https://paper.example');
    const images = new Set([...built.stdout.matchAll(/image: (\S*paper\S*)/g)].map(([, image]) => image));
    expect([...images].every((image) => image?.startsWith('registry.example/paper/'))).to.equal(true);
  });

  it('declares the services of docker-compose.yml, with their images, arguments and numbers', () => {
    expect([...named.keys()]).to.have.members(names);
    for (const name of names) {
      const { args, command, image } = containerOf(name);
      expect({ name, image, command, args }).to.deep.equal({
        name,
        image: composed[name]!.image,
        command: composed[name]!.entrypoint,
        args: composed[name]!.command,
      });
      // Compose has one front door, since a port of a machine has one owner.
      expect(named.get(name)!.replicas, name).to.equal(name === 'front-door' ? 2 : replicasOf(filled[name]!));
    }
    const ending = workloads.filter(({ kind }) => ['Job', 'CronJob'].includes(kind)).map(({ name }) => name);
    expect(ending).to.have.members(names.filter((name) => composed[name]!.healthcheck?.disable === true));
  });

  it('gives each the same environment', () => {
    for (const name of names) {
      const expected = Object.entries(composed[name]!.environment ?? {}).map(([key, value]) => [
        key,
        withoutDefaults(value),
      ]);
      expect(asInCompose(containerOf(name).env ?? []), name).to.deep.equal(Object.fromEntries(expected));
    }
  });

  it('mounts the same secrets, and none into an environment', () => {
    const made = new Set(readdirSync(secrets.folder));
    for (const name of names) {
      const { pod } = named.get(name)!;
      const mounted = (pod.volumes ?? []).flatMap(({ secret }) => (secret === undefined ? [] : [secret]));
      const expected = composed[name]!.secrets ?? [];
      expect(
        mounted.flatMap(({ items }) => items.map(({ key }) => key)),
        name,
      ).to.have.members(expected);
      for (const { defaultMode, items, secretName } of mounted) {
        expect({ defaultMode, secretName }).to.deep.equal({ defaultMode: 0o440, secretName: 'paper-secrets' });
        for (const { key, path: file } of items) {
          expect(file).to.equal(key);
          expect(made.has(key), key).to.equal(true);
        }
      }
      const env = containerOf(name).env ?? [];
      expect(
        env.filter(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined),
        name,
      ).to.deep.equal([]);
    }
  });

  it('has the settings of .env in one ConfigMap, and no secrets', () => {
    const defaults = assignments(text('.env.example'));
    const settings = manifests.find(({ metadata }) => metadata.name === 'paper-settings')?.data ?? {};
    const used = new Set<string>();
    expect(manifests.filter(({ kind }) => kind === 'Secret')).to.deep.equal([]);
    for (const { pod } of workloads) {
      for (const { name, valueFrom } of pod.containers[0].env ?? []) {
        const { configMapKeyRef: setting } = valueFrom ?? {};
        if (setting === undefined) continue;
        expect(setting.name).to.equal('paper-settings');
        expect(isSecretSetting(name), `${name} is a secret`).to.equal(false);
        used.add(setting.key);
      }
    }
    expect(settings).to.deep.equal(Object.fromEntries([...used].map((name) => [name, defaults[name]])));
    // Each allows its part of what a fleet may read.
    expect(String(named.get('query-api')?.replicas)).to.equal(settings['QUERY_APIS']);
  });

  it('has the same ports, and a Service with them', () => {
    for (const name of names) {
      const ports = (containerOf(name).ports ?? []).map(({ containerPort }) => containerPort);
      const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name);
      const { ports: served = [] } = (service?.spec ?? {}) as { readonly ports?: readonly { readonly port: number }[] };
      expect(
        served.map(({ port }) => port),
        name,
      ).to.deep.equal(ports);
      expect(new Set(ports), name).to.deep.equal(new Set(portsOf(name)));
    }
  });

  /** The ports of a service: of our images those that they expose, of others those that URLs name. */
  function portsOf(name: string): readonly number[] {
    const { build, healthcheck, ports } = composed[name]!;
    if (ports !== undefined) return ports.map((port) => Number(port.split(':').at(-1)));
    if (build === undefined) return connections.filter(([, to]) => to === name).map(([, , port]) => port);
    if (healthcheck?.disable === true) return [];
    // The projector serves nothing but its metrics.
    return name === 'projector' ? exposed.slice(1) : exposed;
  }

  /** From, to, port: of every URL in the environment, and of the front door’s servers. */
  const connections: readonly (readonly [string, string, number])[] = [
    ...names.flatMap((name) =>
      Object.values(secrets.opened(filled[name]!.environment ?? {})).flatMap((value) =>
        [...value.matchAll(/\/\/(?:[^@/]*@)?([\w-]+):(\d+)/g)].flatMap(([, to = '', port]) =>
          names.includes(to) ? [[name, to, Number(port)] as const] : [],
        ),
      ),
    ),
    ...[
      ...text('infra/front-door/compose.cfg').matchAll(/server-template \S+ \d+ ([\w-]+):(\d+) check port (\d+)/g),
    ].flatMap(([, to = '', port, health]) => [port, health].map((one) => ['front-door', to, Number(one)] as const)),
  ];

  it('lets each reach what its settings name, and nothing else', () => {
    const policies = new NetworkPolicies(manifests);
    const labels = (name: string) => named.get(name)!.labels;
    const all = new Set(connections.map(([, , port]) => port));
    const allowed = names.flatMap((from) =>
      names.flatMap((to) =>
        [...all].flatMap((port) =>
          policies.allows(labels(from), labels(to), port) ? [`${from} → ${to}:${port}`] : [],
        ),
      ),
    );
    const expected = new Set(connections.map(([from, to, port]) => `${from} → ${to}:${port}`));
    expect(new Set(allowed)).to.deep.equal(expected);
    // The front door is reached by people, who are outside too.
    const outside = names.filter((name) =>
      policies.rulesOf(labels(name), 'Egress')?.some(({ to }) => to?.some(({ ipBlock }) => ipBlock !== undefined)),
    );
    const sends = names.filter((name) => composed[name]!.networks?.includes('outside') && name !== 'front-door');
    expect(outside).to.deep.equal(sends);
  });

  it('restricts each pod as docker-compose.yml does', () => {
    for (const name of names) {
      const {
        mem_limit: memory = '',
        read_only: isReadOnly = false,
        stop_grace_period: grace = '10s',
      } = composed[name]!;
      const { pod } = named.get(name)!;
      const { resources, securityContext, volumeMounts = [] } = containerOf(name);
      expect(pod, name).to.deep.include({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(pod.securityContext, name).to.include({ runAsNonRoot: true });
      const waits = Number(containerOf(name).lifecycle?.preStop?.exec?.command[1] ?? 0);
      expect(pod.terminationGracePeriodSeconds, name).to.equal(Number.parseInt(grace, 10) + waits);
      expect(securityContext, name).to.deep.include({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(securityContext.readOnlyRootFilesystem ?? false, name).to.equal(isReadOnly);
      expect(resources.limits.memory, name).to.equal(memory.toUpperCase().replace(/([GM])$/, '$1i'));
      const { secrets: files, tmpfs = [], volumes = [] } = composed[name]!;
      const folder = files === undefined ? [] : ['/run/secrets'];
      const mounted = [...volumes.map((volume) => volume.split(':')[1]), ...tmpfs, ...folder];
      expect(
        volumeMounts.map(({ mountPath }) => mountPath),
        name,
      ).to.have.members(mounted);
    }
  });

  it('asks each for its health: servers by the command of docker-compose.yml, services by their port of metrics', () => {
    for (const name of names.filter((one) => composed[one]!.healthcheck?.disable !== true)) {
      const { livenessProbe, readinessProbe } = containerOf(name);
      if (SERVICE_NAMES.includes(name as (typeof SERVICE_NAMES)[number])) {
        expect(livenessProbe?.httpGet, name).to.deep.equal({ path: '/health/live', port: 'metrics' });
        // A standby is never ready, and a rollout waits for readiness.
        const ready = name === 'command-api' ? '/health/live' : '/health/ready';
        expect(readinessProbe?.httpGet, name).to.deep.equal({ path: ready, port: 'metrics' });
      } else if (name === 'front-door') {
        // It answers also while no service does: its own 503.
        expect([livenessProbe?.tcpSocket, readinessProbe?.tcpSocket]).to.deep.equal([
          { port: 'http' },
          { port: 'http' },
        ]);
      } else {
        const command = composed[name]!.healthcheck?.test?.slice(1);
        expect(livenessProbe?.exec?.command, name).to.deep.equal(command);
        expect(readinessProbe?.exec?.command, name).to.deep.equal(command);
      }
    }
  });

  it('serves on before it stops, until nothing is sent to it any more', () => {
    const serving = names.filter((name) => containerOf(name).ports?.some(({ name: port }) => port === 'http'));
    const ours = serving.filter((name) => name !== 'eventstore');
    expect(ours).to.have.members(['front-door', ...SERVICE_NAMES.filter((name) => name !== 'projector')]);
    for (const name of names) {
      const expected = ours.includes(name) ? { preStop: { exec: { command: ['sleep', '5'] } } } : undefined;
      expect(containerOf(name).lifecycle, name).to.deep.equal(expected);
    }
  });

  it('ends every task at last, and takes backups by the time of UTC', () => {
    const specOf = (name: string) => manifests.find(({ metadata }) => metadata.name === name)?.spec;
    expect(specOf('backup')).to.deep.include({ concurrencyPolicy: 'Forbid', timeZone: 'Etc/UTC' });
    expect(specOf('backup')).to.have.property('startingDeadlineSeconds').that.is.above(0);
    expect(specOf('backup')).to.have.nested.property('jobTemplate.spec.activeDeadlineSeconds').that.is.above(0);
    for (const name of ['roles', 'restore']) {
      expect(specOf(name), name).to.have.property('activeDeadlineSeconds').that.is.above(0);
    }
    // It waits for an operator who has stopped the services.
    expect(specOf('restore')).to.include({ suspend: true, backoffLimit: 0 });
  });

  it('lets one pod at a time be evicted of each service that has several', () => {
    const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget');
    const several = workloads.filter(({ replicas }) => replicas > 1).map(({ name }) => name);
    expect(budgets.map(({ metadata }) => metadata.name)).to.have.members(several);
    for (const { metadata, spec } of budgets) {
      expect(spec).to.deep.equal({
        maxUnavailable: 1,
        selector: { matchLabels: { 'app.kubernetes.io/name': metadata.name } },
      });
    }
  });

  it('has a front door with the backends of docker-compose.yml, which HAProxy accepts', function () {
    const backends = (file: string): readonly string[] =>
      [...text(file).matchAll(/^(?:backend .*|  server-template .*)$/gm)].map(([line]) =>
        line.replace(/"([\w-]+)\.\$\{NAMESPACE\}\.svc\.cluster\.local:/, '$1:').replace(/"|resolvers \w+/g, ''),
      );
    expect(backends('infra/front-door/kubernetes.cfg')).to.deep.equal(backends('infra/front-door/compose.cfg'));
    if (!isInstalled('haproxy')) {
      if (process.env['REQUIRE_SERVERS'] === '1') throw new Error('there is no haproxy on PATH');
      this.skip();
    }
    const { status, stderr } = spawnSync(
      'haproxy',
      ['-c', '-q', '-f', 'infra/front-door/haproxy.cfg', '-f', 'infra/front-door/kubernetes.cfg'],
      { cwd: root, encoding: 'utf8', env: { ...process.env, FRONT_DOOR_BIND: '127.0.0.1:4000', NAMESPACE: 'paper' } },
    );
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  });
});

(isInstalled('kubectl') && isInstalled('openssl') ? describe : describe.skip)('infra/kubernetes/tls', function () {
  this.timeout(60_000);
  const secrets = new MadeSecrets(root);
  const certificates = path.join(path.dirname(secrets.folder), 'certificates');
  let manifests: readonly Manifest[];
  let workloads: readonly Workload[];
  const mounted = ({ pod }: Workload): readonly ProjectedVolume['sources'][number]['secret'][] =>
    (pod.volumes ?? []).flatMap(({ projected }) => (projected?.sources ?? []).map(({ secret }) => secret));

  before(() => {
    execFileSync('sh', [path.join(root, 'infra/certificates/make.sh'), certificates], { stdio: 'ignore' });
    manifests = builtBy('infra/kubernetes/tls');
    workloads = workloadsOf(manifests);
  });
  after(() => secrets.remove());

  it('is valid, and has no field that Kubernetes does not have', () => {
    for (const manifest of manifests) validate(manifest);
    expect(unknownFieldsOf(manifests)).to.deep.equal([]);
  });

  it('gives each service that reaches the journal a user of its own, by a file that no other service has', () => {
    const plain = workloadsOf(manifestsOf(folder));
    const clients = plain.filter(({ pod }) => pod.containers[0].env?.some(({ name }) => name === 'JOURNAL_URL'));
    expect(clients).to.have.length(8);
    for (const { name } of clients) {
      const workload = workloads.find((one) => one.name === name)!;
      const { env = [], volumeMounts = [] } = workload.pod.containers[0];
      const files = new Map(env.map((one) => [one.name, one.value]));
      expect(files.has('JOURNAL_URL'), name).to.equal(false);
      expect(files.get('JOURNAL_URL_FILE'), name).to.equal('/run/journal/url');
      expect(volumeMounts).to.deep.include({ name: 'journal', mountPath: '/run/journal', readOnly: true });
      const [urls, authority] = mounted(workload);
      expect(authority).to.deep.equal({ name: 'paper-certificates', items: [{ key: 'ca.crt', path: 'ca.crt' }] });
      expect(urls?.name).to.equal('paper-secrets');
      const user = { 'command-api': 'paper_command', projector: 'paper_projector', restore: 'admin', roles: 'admin' }[
        name
      ];
      for (const [index, { key, path: file }] of urls!.items.entries()) {
        expect(index === 0 ? 'url' : key).to.equal(file);
        const url = secrets.read(key);
        const of = index === 0 ? (user ?? 'paper_reader') : `paper_${key.replace('-journal-url', '')}`;
        expect(url, name).to.match(new RegExp(`^esdb://${of}:\\w+@eventstore:2113\\?tls=true`));
        const here = url.replace('/run/journal/ca.crt', path.join(certificates, 'ca.crt'));
        expect(journalSettings.JOURNAL_URL.safeParse(here), key).to.have.property('success', true);
        const setting = index === 0 ? 'JOURNAL_URL_FILE' : `${key.replaceAll('-', '_').toUpperCase()}_FILE`;
        expect(files.get(setting), setting).to.equal(`/run/journal/${file}`);
      }
      expect(urls!.items, name).to.have.length(name === 'roles' ? 4 : 1);
    }
    expect(workloads.filter((one) => mounted(one).length > 0)).to.have.length(clients.length);
    const { username, password } = new URL(secrets.read('journal-url'));
    expect([username, password]).to.deep.equal(['admin', secrets.read('eventstore-password')]);
  });

  it('runs EventStoreDB with the certificate, asks it for its health over TLS, and lets Prometheus reach it', () => {
    const eventstore = workloads.find(({ name }) => name === 'eventstore')!;
    const { env = [], livenessProbe, readinessProbe, startupProbe } = eventstore.pod.containers[0];
    const settings = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const node = readComposeFile(root, WITH_TLS).services['eventstore']!;
    for (const [name, value] of Object.entries(settings)) {
      if (name !== 'EVENTSTORE_CLUSTER_SIZE') expect(value, name).to.equal(node.environment?.[name]);
    }
    expect(settings).to.include.keys('EVENTSTORE_CERTIFICATE_FILE', 'EVENTSTORE_TRUSTED_ROOT_CERTIFICATES_PATH');
    for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
      expect(probe?.exec?.command).to.deep.equal(node.healthcheck?.test?.slice(1));
    }
    const [ofCertificates, ofSecrets] = (eventstore.pod.volumes ?? []).flatMap(({ secret }) => secret ?? []);
    for (const { key } of ofCertificates!.items) expect(readdirSync(certificates)).to.include(key);
    expect(ofSecrets!.items).to.deep.equal([{ key: 'eventstore-password', path: 'eventstore-password' }]);
    const prometheus = { 'app.kubernetes.io/name': 'prometheus' };
    const reached = [manifestsOf(folder), manifests].map((all) =>
      // Prometheus is in a namespace of its own, whose policies are not here.
      new NetworkPolicies(all)
        .rulesOf(eventstore.labels, 'Ingress')
        ?.some(({ from }) => from?.some(({ podSelector }) => isDeepStrictEqual(podSelector?.matchLabels, prometheus))),
    );
    // Without TLS whoever reaches it could change the journal.
    expect(reached).to.deep.equal([false, true]);
  });
});
