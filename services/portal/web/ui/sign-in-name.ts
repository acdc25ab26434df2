/** The attributes of a field for the name or the e-mail address of a person's sign-in. */
export const SIGN_IN_NAME = {
  label: 'Sign-in name or e-mail address',
  autocomplete: 'username',
  autocapitalize: 'none',
  spellcheck: false,
} as const;
