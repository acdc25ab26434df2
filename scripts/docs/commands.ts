import { callOf, COMMANDS, exampleOf } from '@paper/commands';
import type { CommandDeclaration } from '@paper/commands';
import { table } from './made-part.ts';
import type { GeneratedSection } from './made-part.ts';

/** The table of every command in docs/operate/commands.md, from the declarations that the commands are parsed by. */
export function commandParts(): readonly GeneratedSection[] {
  const rows = Object.entries(COMMANDS).flatMap(([name, declared]) => [
    ...(declared.commands === undefined || declared.alone === true ? [rowOf(name, null, declared, declared)] : []),
    ...Object.entries(declared.commands ?? {}).map(([sub, command]) => rowOf(name, sub, command, declared)),
  ]);
  const head = ['command', 'what it does', '1', '130: what remains'];
  return [{ file: 'docs/operate/commands.md', name: 'every command', text: table(head, rows) }];
}

function rowOf(
  name: string,
  subcommand: string | null,
  command: CommandDeclaration,
  declared: CommandDeclaration,
): readonly string[] {
  const { faults = declared.faults ?? 'it failed', interrupted = declared.interrupted ?? 'Nothing remains.' } = command;
  return [`\`${exampleOf(callOf(name, subcommand), command)}\``, command.about, faults, interrupted].map((cell) =>
    cell.replaceAll('|', '\\|'),
  );
}
