import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** A check of health as Compose and Docker declare it. */
export interface Healthcheck {
  /** `['CMD', program, …arguments]`. */
  readonly test?: readonly string[];
  readonly disable?: boolean;
}

/** A service of docker-compose.yml: the fields that are read here. There may be more. */
export interface ComposedService {
  readonly image: string;
  readonly build?: { readonly dockerfile: string; readonly args: { readonly SERVICE: string } };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: Healthcheck;
  readonly ports?: readonly string[];
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
  readonly volumes: Readonly<Record<string, object>>;
}

const composeText = (root: string): string => readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');

/** docker-compose.yml with its anchors merged, and with `${…}` as it stands there. */
export function readComposeFile(root: string): ComposeFile {
  return parse(composeText(root), { merge: true }) as ComposeFile;
}

/** docker-compose.yml as Compose runs it with these variables. */
export function composeFileWith(root: string, variables: Readonly<Record<string, string>>): ComposeFile {
  return everyText(readComposeFile(root), (text) => interpolated(text, variables)) as ComposeFile;
}

/** A variable that docker-compose.yml uses. */
export interface ComposeVariable {
  readonly name: string;
  /** Without a default: it has to be set in .env. */
  readonly isRequired: boolean;
}

/** Every use of a variable in docker-compose.yml, in its order. */
export function composeVariables(root: string): readonly ComposeVariable[] {
  return [...composeText(root).matchAll(/\$\{(\w+)(:[?-])/g)].map(([, name = '', kind]) => ({
    name,
    isRequired: kind === ':?',
  }));
}

/** The variables of a completed .env: those of .env.example, and `secretOf` each that has no default. */
export function completedVariables(root: string, secretOf: (name: string) => string): Record<string, string> {
  const required = new Set(composeVariables(root).flatMap(({ isRequired, name }) => (isRequired ? [name] : [])));
  return {
    ...assignments(readFileSync(path.join(root, '.env.example'), 'utf8')),
    ...Object.fromEntries([...required].map((name) => [name, secretOf(name)])),
  };
}

/** Parses `NAME=value` lines. */
export function assignments(lines: string): Record<string, string> {
  return Object.fromEntries([...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** Substitutes variables as Compose does. @throws Error where one without a default is not set. */
export function interpolated(value: string, variables: Readonly<Record<string, string>>): string {
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

/** The services in an order in which each comes after those that it depends on. @throws Error where there is a circle. */
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

/** How many processes of a service run. */
export function replicasOf({ deploy }: ComposedService): number {
  return Number(deploy?.replicas ?? 1);
}
