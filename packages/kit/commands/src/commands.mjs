import { DEVELOPER_COMMANDS } from './developer-commands.mjs';
import { OPERATOR_COMMANDS } from './operator-commands.mjs';

const WRITE = { about: 'replace the section of the results with the output' };

/** Adds the option `--write` to commands whose results have a section in a page of the docs. */
function withWrite(command) {
  const { commands, section } = command;
  return {
    ...command,
    ...(section === undefined ? {} : { options: { ...command.options, write: WRITE } }),
    ...(commands === undefined
      ? {}
      : { commands: Object.fromEntries(Object.entries(commands).map(([name, one]) => [name, withWrite(one)])) }),
  };
}

export const COMMANDS = Object.fromEntries(
  Object.entries({ ...OPERATOR_COMMANDS, ...DEVELOPER_COMMANDS }).map(([name, command]) => [name, withWrite(command)]),
);
