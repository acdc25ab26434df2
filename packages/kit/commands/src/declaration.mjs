/**
 * How commands are declared. A command has
 *
 * - `about`: what it does, in the imperative; `notes`: further lines of help
 * - `program`: its file, from the repository's root; `install`: what it needs of the dependencies (default: `prod`)
 * - `example`: what follows `npm run NAME --`, as typed
 * - `args`: `{ name, about, optional, many, from, to }`, in order
 * - `runs`: what the command after `--` is, which this one runs
 * - `options`: by name, `{ value, about, byDefault, choices, from, to, many, needed, alone, without }`. One without
 *   `value` is a switch; `alone`: the value of one that was given without; `without`: options that exclude it
 * - `json`: whether it has `--json`
 * - `settings`: the environment variables it reads, `[name, default, about, isSecret]`. Each may be given as an option
 * - `faults`: what exit code 1 means; `interrupted`: what remains after Ctrl-C
 * - `commands`: its subcommands, each with all of these but `program` and `settings`; `alone`: it runs without one too
 * - `passes`: all arguments belong to what it starts
 */

export const JSON_OPTION = { about: 'print facts as JSON' };

/** The line that starts a command. */
export function callOf(name, subcommand = null) {
  const npm = ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`;
  return subcommand === null ? npm : `${npm} -- ${subcommand}`;
}

/** The declared settings by name, as options; a secret may be in a file that NAME_FILE names. */
export function settingsOf({ settings = [] }) {
  return Object.fromEntries(
    settings.flatMap(([name, byDefault, about, isSecret = false]) => {
      // This is the only setting that means something without a value.
      const alone = name === 'ACCEPT_CLOCK' ? { alone: 'on' } : {};
      const own = [name, { value: 'VALUE', about, default: byDefault, ...alone }];
      // The former name of JOURNAL_URL is accepted too.
      const former = name === 'JOURNAL_URL' ? [['EVENTSTORE_URL', { value: 'URL', about }]] : [];
      return isSecret ? [own, [`${name}_FILE`, { value: 'FILE', about: `the file of ${name}` }], ...former] : [own];
    }),
  );
}
