// declaration.d.mts says what a declared command has.

export const JSON_OPTION = { about: 'print facts as JSON' };

/** The command line of a command, such as `npm run audit -- verify`. */
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
