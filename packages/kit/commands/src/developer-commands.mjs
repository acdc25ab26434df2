const COUNT = { from: 1, to: 2 ** 32 - 1 };
const SEED = { name: 'seed', about: 'what is done follows from it', optional: true, ...COUNT };
const FOUND = 'something is not as it must be';

export const DEVELOPER_COMMANDS = {
  test: {
    about: 'run the tests',
    notes: ['All arguments are files and options of mocha.'],
    example: 'packages/core/exchange/test/orders/*.spec.ts --grep "a title"',
    passes: true,
    faults: 'a test failed',
  },
  check: { about: 'check format, lint, types and imports', faults: 'a check failed' },
  format: { about: 'format every file' },
  build: {
    about: 'compile the services and commands',
    example: './built',
    args: [{ name: 'folder', about: 'empty or new; default: ./dist', optional: true }],
    interrupted: 'The folder holds a part of the build.',
  },
  'build:python': {
    about: 'build the wheel and the sdist of the Python client',
    notes: ['It needs a Python with build, setuptools and wheel.'],
    args: [{ name: 'folder', about: 'default: packages/clients/client-python/dist', optional: true }],
  },
  'build:clients': {
    about: 'build the packages of the clients',
    args: [
      { name: 'folder', about: 'default: ./dist/clients; a running service has them at /clients/', optional: true },
    ],
  },
  'build:client-types': { about: "write the client's types from the endpoints" },
  'build:docs': {
    about: "write the client's reference as HTML",
    args: [{ name: 'folder', about: 'default: ./dist/client-docs', optional: true }],
  },
  images: {
    about: 'build every image, start all of them, and trade through the front door',
    notes: ['Without a Docker engine: with packages of Debian, as root.'],
    program: 'scripts/images.ts',
    install: 'full',
    section: { name: 'images', page: 'benchmarks.md' },
    example: '--engine buildah --tls',
    options: {
      engine: { value: 'NAME', about: 'default: docker where it answers', choices: ['docker', 'buildah'] },
      storage: { value: 'FOLDER', about: 'keep the images there, for the next run' },
      tls: { about: 'add docker-compose.tls.yml, and kill a node of its cluster of EventStoreDB' },
    },
    faults: FOUND,
  },
  bench: {
    about: 'measure',
    notes: [
      'Without arguments every benchmark, into docs: some hours. --list prints their names.',
      'compare REVISION NAME… runs those of a revision beside those of this checkout.',
    ],
    example: 'reads --write',
    passes: true,
    faults: 'a bar is not met',
  },
  sim: {
    about: 'simulate faults of the command side, by seed',
    program: 'packages/testing/simulation/src/main.ts',
    install: 'full',
    section: { name: 'sim', page: 'reliability.md' },
    example: '1 --seeds 200',
    args: [
      SEED,
      { name: 'steps', about: 'how many things happen before nothing goes wrong any more', optional: true, ...COUNT },
    ],
    options: { seeds: { value: 'NUMBER', about: 'how many seeds, one after the other', byDefault: 1, ...COUNT } },
    faults: FOUND,
  },
  chaos: {
    about: 'kill the real service under load, fill its disk, set its clock, and judge it',
    program: 'packages/testing/chaos/src/main.ts',
    install: 'full',
    section: { name: 'chaos', page: 'reliability.md' },
    example: '20',
    args: [{ name: 'kills', about: 'how many processes are killed; default: 20', optional: true, ...COUNT }, SEED],
    options: {
      'only-kills': { about: 'leave out the full disk and the clock' },
      'only-power': { about: 'leave out all but the losses of power' },
      power: { value: 'TIMES', about: 'how often the power is lost; default: once for 20 kills', ...COUNT },
      'lying-disk': { about: 'a disk that only says that it has flushed: losses of power have to be found then' },
      clocks: { value: 'TIMES', about: 'how often a clock is set; default: once for 20 kills', ...COUNT },
    },
    faults: FOUND,
    interrupted: 'Its files stay in the folder for temporary files, in paper-chaos-* or another paper-*.',
    alone: true,
    commands: {
      clients: {
        about: 'cut the connections of bots and kill the service; judge the client',
        program: 'packages/testing/chaos/src/clients/main.ts',
        example: '3600 1 --kill-every 60',
        args: [{ name: 'seconds', about: 'how long orders are placed; default: 60', optional: true, ...COUNT }, SEED],
        options: {
          'cut-every': { value: 'SECONDS', about: 'how often every connection is cut', byDefault: 5, ...COUNT },
          'kill-every': { value: 'SECONDS', about: 'how often the service is killed', byDefault: 20, ...COUNT },
          traders: { value: 'COUNT', about: 'how many bots there are', byDefault: 4, ...COUNT },
        },
      },
      'disk-full': {
        about: 'fill the disks of tables and log apart, and kill the database, each as often as it says',
        section: { name: 'disk-full', page: 'reliability.md' },
        example: '20 1',
        args: [{ name: 'times', about: 'default: 20', optional: true, ...COUNT }, SEED],
      },
      alerts: {
        about: 'make faults of services; judge what Alertmanager notifies of',
        program: 'packages/testing/chaos/src/alerts/main.ts',
        section: { name: 'alerts', page: 'reliability.md' },
        example: '--hold 60',
        args: [{ name: 'round', about: 'the faults, with + side by side; default: all', optional: true, many: true }],
        options: {
          hold: { value: 'SECONDS', about: 'how long a fault lasts', byDefault: 120, ...COUNT },
          quiet: {
            value: 'MINUTES',
            about: 'how long the load is watched without a fault, before them',
            byDefault: 10,
            ...COUNT,
          },
          orders: { value: 'NUMBER', about: 'how many orders are placed in a second', byDefault: 20, ...COUNT },
          'no-quiet': { about: 'leave that out' },
          'no-faults': { about: 'end after that' },
        },
        notes: ['It ends with 75 where a program is missing.'],
      },
      backtests: {
        about: 'kill backtests and their service beside live orders; judge what was lost or left',
        program: 'packages/testing/chaos/src/backtests/main.ts',
        example: '20 1',
        args: [{ name: 'kills', about: 'default: 20', optional: true, ...COUNT }, SEED],
        options: {
          orders: { value: 'NUMBER', about: 'how many live orders are placed in a second', byDefault: 20, ...COUNT },
        },
      },
      rolling: {
        about: 'replace every process under load; judge what was lost or doubled',
        program: 'packages/testing/chaos/src/rolling/main.ts',
        section: { name: 'rolling', page: 'reliability.md' },
        example: '--orders 500',
        options: {
          orders: { value: 'NUMBER', about: 'how many orders are placed in a second', byDefault: 500, ...COUNT },
          pause: { value: 'SECONDS', about: 'between two replacements', byDefault: 5, ...COUNT },
          'warm-up': {
            value: 'SECONDS',
            about: 'of load before the first replacement, which is not judged',
            byDefault: 10,
            ...COUNT,
          },
        },
      },
    },
  },
  fuzz: {
    about: 'send requests of every kind to the real service',
    program: 'packages/testing/fuzz/src/main.ts',
    install: 'full',
    section: { name: 'fuzz', page: 'reliability.md' },
    example: '50000 1',
    args: [{ name: 'count', about: 'how many requests; default: 50000', optional: true, ...COUNT }, SEED],
    faults: FOUND,
  },
};
