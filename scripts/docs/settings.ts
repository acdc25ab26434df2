import { backtestsServiceSettings } from '@paper/backtests';
import { commandApiSettings, rolesSettings } from '@paper/command-api';
import { mcpServiceSettings } from '@paper/mcp';
import { portalServiceSettings } from '@paper/portal';
import { projectorSettings } from '@paper/projector';
import { queryApiSettings } from '@paper/query-api';
import { isSecretSetting } from '@paper/runtime';
import { standaloneSettings } from '@paper/standalone';
import { streamGatewaySettings } from '@paper/stream-gateway';
import { serviceSetSettings } from '@paper/supervisor';
import type { ServiceName } from '@paper/supervisor';
import type { z } from 'zod';
import { table } from './generated-section.ts';
import type { GeneratedSection } from './generated-section.ts';

/** A setting. The default is a text in the form of the variable, or what applies if there is none. */
type Setting = readonly [name: string, byDefault: string, description: string, isSecret?: true];

/** The settings schema of each service. */
export const SERVICE_SETTINGS: Readonly<Record<ServiceName, z.ZodObject>> = {
  'command-api': commandApiSettings,
  projector: projectorSettings,
  'query-api': queryApiSettings,
  'stream-gateway': streamGatewaySettings,
  portal: portalServiceSettings,
  mcp: mcpServiceSettings,
  backtests: backtestsServiceSettings,
};

/** The tables of docs/operate/settings.md, from the schemas with which the programs read their settings. */
export function settingsSections(): readonly GeneratedSection[] {
  const file = 'docs/operate/settings.md';
  return [
    { file, name: 'settings of npm start', text: settingsTable(standaloneSettings) },
    { file, name: 'settings of start:services', text: settingsTable(serviceSetSettings) },
    { file, name: 'settings of services', text: servicesTable() },
    { file, name: 'settings of roles', text: settingsTable(rolesSettings) },
  ];
}

/** The module that the help of npm commands shows. It has no dependencies, so it works before an installation. */
export function helpSettings(): string {
  const lists = {
    START_SETTINGS: settingsOf(standaloneSettings),
    SERVICES_SETTINGS: settingsOf(serviceSetSettings),
    ROLES_SETTINGS: settingsOf(rolesSettings),
  };
  const texts = Object.entries(lists).map(([name, settings]) => {
    const rows = settings.map((row) => `  ${JSON.stringify(row)},\n`);
    return `\nexport const ${name} = [\n${rows.join('')}];\n`;
  });
  return `// Made by scripts/docs/write.ts, from the schemas of the settings: name, default, description, whether it is a secret.\n${texts.join('')}`;
}

/** Reads the settings of a schema. @throws Error when a setting has no description. */
function settingsOf(schema: z.ZodObject): readonly Setting[] {
  return Object.entries(schema.shape).map(([name, setting]) => {
    const { description, unset } = (setting as z.ZodType).meta() ?? {};
    if (description === undefined) throw new Error(`the setting ${name} has no description`);
    const row = [name, defaultOf(setting as z.ZodType) ?? String(unset), description] as const;
    return isSecretSetting(name) ? [...row, true] : row;
  });
}

function defaultOf(schema: z.ZodType): string | null {
  const { def } = schema as z.ZodDefault;
  if ((def.type as string) !== 'default' && (def.type as string) !== 'prefault') return null;
  const value: unknown = def.defaultValue;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? 'none' : String(value);
}

const rowOf = ([name, byDefault, description]: Setting): readonly string[] => [`\`${name}\``, byDefault, description];

const settingsTable = (schema: z.ZodObject): string =>
  table(['setting', 'default', 'what it is'], settingsOf(schema).map(rowOf));

/** A row for each different description or default of a setting, with the services that have it. */
function servicesTable(): string {
  const rows = new Map<string, { readonly setting: Setting; readonly services: string[] }>();
  for (const [service, schema] of Object.entries(SERVICE_SETTINGS)) {
    for (const setting of settingsOf(schema)) {
      const row = rows.get(setting.join('\n')) ?? { setting, services: [] };
      row.services.push(service);
      rows.set(setting.join('\n'), row);
    }
  }
  return table(
    ['setting', 'default', 'what it is', 'of'],
    [...rows.values()].map(({ setting, services }) => [
      ...rowOf(setting),
      services.length === Object.keys(SERVICE_SETTINGS).length
        ? 'all'
        : services.map((name) => `\`${name}\``).join(', '),
    ]),
  );
}
