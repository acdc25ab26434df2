import { ALERT_FAULTS } from '@paper/chaos';
import type { ExpectedAlert } from '@paper/chaos';
import { callOf, COMMANDS, exampleOf } from '@paper/commands';
import type { CommandDeclaration } from '@paper/commands';
import { ERRORS } from '@paper/contracts';
import { CANCEL_CAUSES } from '@paper/contracts/orders';
import { TABLES } from '@paper/exports';
import type { Columns } from '@paper/exports';
import { OPTION_NAMES, pythonNames, snakeCase, typeScriptNames } from '../clients/client-names.ts';
import { table } from './generated-section.ts';
import type { GeneratedSection } from './generated-section.ts';

/** The generated tables of the documentation that need no more than their data's order. */
export const tableSections = (): readonly GeneratedSection[] => [
  { file: 'docs/trade/errors.md', name: 'error codes', text: errorCodes() },
  { file: 'docs/trade/clients.md', name: 'names', text: clientNames() },
  { file: 'docs/trade/order-tools.md', name: 'reasons', text: cancelReasons() },
  { file: 'docs/operate/operations.md', name: 'faults and alerts', text: faultsAndAlerts() },
  { file: 'docs/prove/exports.md', name: 'columns', text: exportColumns() },
  { file: 'docs/operate/commands.md', name: 'every command', text: everyCommand() },
];

function errorCodes(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, when, remedy }]) => [
    `\`${code}\``,
    String(status),
    when,
    remedy,
  ]);
  return table(['code', 'status', 'when', 'what to do'], rows);
}

/** The names in both clients, side by side. */
function clientNames(): string {
  const python = new Set(pythonNames());
  const methods = typeScriptNames().flatMap((name) => {
    const same = snakeCase(name);
    if (!python.has(same)) return [];
    const every = same.replace(/^fetch_/, 'iter_');
    return [[name, every !== same && python.has(every) ? `${same}\`, \`${every}` : same] as const];
  });
  const rows = [...methods, ...OPTION_NAMES].map((names) => names.map((name) => `\`${name}\``));
  return table(['TypeScript', 'Python'], rows);
}

/** The table of reasons why an order is cancelled. */
function cancelReasons(): string {
  const rows = Object.entries(CANCEL_CAUSES).map(([reason, cause]) => [`\`${reason}\``, cause]);
  return table(['reason', 'cause'], rows);
}

function faultsAndAlerts(): string {
  const described = ({ alert, job }: ExpectedAlert): string =>
    job === undefined ? `\`${alert}\`` : `\`${alert}\` of \`${job}\``;
  const rows = ALERT_FAULTS.map(({ causes, heldBack, what }) => [
    what,
    causes.length === 0 ? 'none' : causes.map(described).join(', '),
    heldBack.map((name) => `\`${name}\``).join(', '),
  ]);
  return table(['fault', 'the alert that is notified of', 'may fire besides, and is held back'], rows);
}

function exportColumns(): string {
  const sections = Object.entries<Columns>(TABLES).map(([name, columns]) => {
    const rows = Object.entries(columns).map(([column, { description, isNullable, type, unit }]) => [
      `\`${column}\``,
      isNullable ? `${type} or null` : type,
      unit ?? '',
      description,
    ]);
    return `**\`${name}\`**\n\n${table(['column', 'type', 'unit', 'meaning'], rows)}`;
  });
  return sections.join('\n\n');
}

function everyCommand(): string {
  const rows = Object.entries(COMMANDS).flatMap(([name, declared]) => [
    ...(declared.commands === undefined || declared.alone === true ? [rowOf(name, null, declared, declared)] : []),
    ...Object.entries(declared.commands ?? {}).map(([sub, command]) => rowOf(name, sub, command, declared)),
  ]);
  return table(['command', 'what it does', 'exit code 1', 'after Ctrl-C (130)'], rows);
}

function rowOf(name: string, subcommand: string | null, command: CommandDeclaration, declared: CommandDeclaration) {
  const { faults = declared.faults ?? 'it failed', interrupted = declared.interrupted ?? 'Nothing remains.' } = command;
  const cells = [`\`${exampleOf(callOf(name, subcommand), command)}\``, command.about, faults, interrupted];
  return cells.map((cell) => cell.replaceAll('|', '\\|'));
}
