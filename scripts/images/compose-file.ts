import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export interface Healthcheck {
  /** `['CMD', program, …arguments]`. */
  readonly test?: readonly string[];
  readonly disable?: boolean;
}

/** A service of docker-compose.yml: the fields that are read here; it may have more. */
export interface ComposedService {
  readonly image: string;
  readonly build?: { readonly dockerfile: string; readonly args: { readonly SERVICE: string } };
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: Healthcheck;
  readonly ports?: readonly string[];
  /** Names of secrets, each a file in /run/secrets. */
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly replicas: number | string };
  readonly profiles?: readonly string[];
  readonly user?: string;
  readonly privileged?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposedService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, object>>;
}

/** Files for `docker compose -f`, in its order: each overrides the ones before. */
export type ComposeFiles = readonly string[];

const PLAIN: ComposeFiles = ['docker-compose.yml'];
export const WITH_TLS: ComposeFiles = [...PLAIN, 'docker-compose.tls.yml'];

const composeText = (root: string, file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Merges the files as Compose does, with `${…}` unchanged. Default: only docker-compose.yml. */
export function readComposeFile(root: string, files: ComposeFiles = PLAIN): ComposeFile {
  const parsed = files.map((file) => parse(composeText(root, file), { merge: true }) as unknown);
  return parsed.reduce((below, above) => onTop(below, above)) as ComposeFile;
}

/** The lists that a later file replaces; Compose concatenates all others. */
const REPLACED = new Set(['command', 'entrypoint', 'test']);

/** Merges maps by their keys, as Compose does for several files. */
function onTop(below: unknown, above: unknown, key = ''): unknown {
  if (Array.isArray(below) && Array.isArray(above) && !REPLACED.has(key)) {
    return [...(below as readonly unknown[]), ...(above as readonly unknown[])];
  }
  if (!isMap(below) || !isMap(above)) return above;
  const both = { ...below };
  for (const [name, value] of Object.entries(above)) {
    both[name] = name in below ? onTop(below[name], value, name) : value;
  }
  return both;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The files as Compose runs them with these variables, and with secrets as mounted files. */
export function composeFileWith(
  root: string,
  variables: Readonly<Record<string, string>>,
  files: ComposeFiles = PLAIN,
): ComposeFile {
  const text = everyText(readComposeFile(root, files), (one) => interpolateVariables(one, variables));
  const composed = text as ComposeFile;
  const services = Object.entries(composed.services).map(([name, { secrets = [], volumes = [], ...service }]) => {
    const mounted = secrets.map((secret) => `${composed.secrets[secret]?.file}:/run/secrets/${secret}:ro`);
    return [name, { ...service, volumes: [...volumes, ...mounted] }];
  });
  return { ...composed, services: Object.fromEntries(services) as ComposeFile['services'] };
}

export interface ComposeVariable {
  readonly name: string;
  /** Whether .env must set it, since it has no default. */
  readonly isRequired: boolean;
}

/** Every use of a variable in the files, in their order. */
export function composeVariables(root: string, files: ComposeFiles = PLAIN): readonly ComposeVariable[] {
  const text = files.map((file) => composeText(root, file)).join('');
  return [...text.matchAll(/\$\{(\w+)(:[?-])/g)].map(([, name = '', kind]) => ({
    name,
    isRequired: kind === ':?',
  }));
}

/** The variables of .env.example, completed by `secretOf` for each variable without a default. */
export function completedVariables(
  root: string,
  secretOf: (name: string) => string,
  files: ComposeFiles = PLAIN,
): Record<string, string> {
  const required = new Set(composeVariables(root, files).flatMap(({ isRequired, name }) => (isRequired ? [name] : [])));
  return {
    ...assignments(readFileSync(path.join(root, '.env.example'), 'utf8')),
    ...Object.fromEntries([...required].map((name) => [name, secretOf(name)])),
  };
}

/** Parses `NAME=value` lines. */
export function assignments(lines: string): Record<string, string> {
  return Object.fromEntries([...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** Substitutes variables as Compose does. @throws Error when one without a default is not set. */
export function interpolateVariables(value: string, variables: Readonly<Record<string, string>>): string {
  return value.replace(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, otherwise?: string) => {
    const found = variables[name] || otherwise;
    if (found === undefined) throw new Error(`${name} is not set`);
    return found;
  });
}

function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => everyText(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, everyText(one, change)]));
}

/** The services in an order in which each follows its dependencies. @throws Error for a circular dependency. */
export function inStartOrder(services: Readonly<Record<string, ComposedService>>): readonly string[] {
  const order: string[] = [];
  const visit = (name: string, on: readonly string[]): void => {
    if (order.includes(name)) return;
    if (on.includes(name)) throw new Error(`services depend on each other: ${[...on, name].join(' → ')}`);
    for (const other of Object.keys(services[name]?.depends_on ?? {})) visit(other, [...on, name]);
    order.push(name);
  };
  for (const name of Object.keys(services)) visit(name, []);
  return order;
}

/** The program of a service with its arguments. Default: the program of its image. */
export function programOf(
  { command, entrypoint = [] }: ComposedService,
  ofImage: readonly string[],
): readonly string[] {
  if (entrypoint.length > 0) return [...entrypoint, ...(command ?? [])];
  return command ?? ofImage;
}

export function replicasOf({ deploy }: ComposedService): number {
  return Number(deploy?.replicas ?? 1);
}
