import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** An object of Kubernetes: the fields that are read here. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: object;
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
    readonly fieldRef?: object;
  };
}

interface Probe {
  readonly exec?: { readonly command: readonly string[] };
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly tcpSocket?: object;
}

interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly exec?: { readonly command: readonly string[] } } };
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly securityContext: {
    readonly allowPrivilegeEscalation: boolean;
    readonly capabilities: object;
    readonly readOnlyRootFilesystem?: boolean;
  };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser: number };
  readonly containers: readonly [ContainerSpec];
  readonly volumes?: readonly {
    readonly name: string;
    readonly secret?: SecretVolume;
    readonly projected?: ProjectedVolume;
  }[];
}

/** Files of a Secret: those that it names, and no others. */
interface SecretVolume {
  readonly secretName: string;
  readonly defaultMode: number;
  readonly items: readonly { readonly key: string; readonly path: string }[];
}

/** Files of several Secrets in one folder. */
export interface ProjectedVolume {
  readonly sources: readonly {
    readonly secret: { readonly name: string; readonly items: SecretVolume['items'] };
  }[];
}

/** What runs pods: a Deployment, StatefulSet, Job or CronJob. */
export interface Workload {
  readonly kind: string;
  readonly name: string;
  /** 1 for those that end. */
  readonly replicas: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod: PodSpec;
}

interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}

interface WorkloadSpec {
  readonly replicas?: number;
  readonly template?: Template;
  readonly jobTemplate?: { readonly spec: { readonly template: Template } };
}

/** The objects that a kustomization names as its resources, without changing them. */
export function manifestsOf(folder: string): readonly Manifest[] {
  const { resources } = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8')) as {
    readonly resources: readonly string[];
  };
  return resources.flatMap((file) =>
    parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`);
      return document.toJS() as Manifest;
    }),
  );
}

export function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    const { jobTemplate, replicas = 1, template = jobTemplate?.spec.template } = (spec ?? {}) as WorkloadSpec;
    if (template === undefined) return [];
    return [{ kind, name: metadata.name, replicas, labels: template.metadata.labels, pod: template.spec }];
  });
}

interface Peer {
  readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly namespaceSelector?: object;
  readonly ipBlock?: { readonly cidr: string };
}

export interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number }[];
}

interface Policy {
  readonly podSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

type Labels = Readonly<Record<string, string>>;

/** Says what NetworkPolicies allow between pods of one namespace. */
export class NetworkPolicies {
  readonly #policies: readonly Policy[];

  constructor(manifests: readonly Manifest[]) {
    this.#policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as Policy);
  }

  /** The rules for pods with these labels; null where no policy restricts them. */
  rulesOf(labels: Labels, type: 'Ingress' | 'Egress'): readonly Rule[] | null {
    const own = this.#policies.filter(
      ({ podSelector, policyTypes }) => policyTypes.includes(type) && selects(podSelector.matchLabels, labels),
    );
    if (own.length === 0) return null;
    return own.flatMap(({ egress = [], ingress = [] }) => (type === 'Ingress' ? ingress : egress));
  }

  /** Whether a pod can open a connection to another. */
  allows(from: Labels, to: Labels, port: number): boolean {
    const permits = (rules: readonly Rule[] | null, other: Labels): boolean =>
      rules === null ||
      rules.some(
        ({ from: sources, ports, to: targets }) =>
          (ports === undefined || ports.some((one) => one.port === port)) &&
          ((sources ?? targets) === undefined || (sources ?? targets ?? []).some((peer) => isPeer(peer, other))),
      );
    return permits(this.rulesOf(from, 'Egress'), to) && permits(this.rulesOf(to, 'Ingress'), from);
  }
}

function isPeer({ podSelector }: Peer, labels: Labels): boolean {
  // An address block is outside of the cluster.
  return podSelector !== undefined && selects(podSelector.matchLabels, labels);
}

function selects(wanted: Labels = {}, labels: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
