import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/node_modules/**', 'data/**', 'dist/**', '.cache/**', 'coverage/**'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A number in a template is what messages are made of; an object or null there is a mistake.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // `() => void work()` says on purpose that nobody waits.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // Chai's assertions are expressions, and mocha's callbacks may be async without await.
    files: ['**/test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // Commands for a person at a terminal print.
    files: ['scripts/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // The exchange is pure: no clock, no randomness, no timers, no I/O. Every input of a decision is in its command.
    files: ['packages/exchange/src/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...[
          'process',
          'globalThis',
          'performance',
          'crypto',
          'fetch',
          'console',
          'Buffer',
          'setTimeout',
          'setInterval',
          'setImmediate',
          'queueMicrotask',
        ].map((name) => ({ name, message: 'The exchange reads nothing but its state and its command.' })),
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "MemberExpression[object.name='Date']", message: 'Time is an input of a decision.' },
        { selector: "NewExpression[callee.name='Date']", message: 'Time is an input of a decision.' },
        {
          selector: "MemberExpression[object.name='Math'][property.name='random']",
          message: 'Randomness is an input of a decision.',
        },
        { selector: 'ImportExpression', message: 'The exchange imports nothing.' },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
  },
);
