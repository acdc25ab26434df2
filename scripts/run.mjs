/**
 * The entry of every npm command. It installs what the command needs (once; later starts need no network), then becomes
 * the command by importing it: so signals, exit code and kill −9 reach the command itself. It has no dependencies.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArguments } from '../packages/kit/commands/src/arguments.mjs';
import { COMMANDS } from '../packages/kit/commands/src/commands.mjs';
import { asksForHelp, helpOf, helpOfAll } from '../packages/kit/commands/src/help.mjs';
import { showSteps } from '../packages/kit/commands/src/progress.mjs';
import { build, buildPrograms } from './run/build.mjs';
import { buildPython } from './run/build-python.mjs';
import { builtBefore, builtServices } from './run/built-services.mjs';
import { isProgram } from './run/bundle.mjs';
import { check } from './run/check.mjs';
import { runToPage } from './run/generated-page.mjs';
import { ensureInstalled } from './run/install.mjs';
import { endWithParent } from './run/parent.mjs';
import { runLocal, runProgram } from './run/local.mjs';
import { test } from './run/test.mjs';

const root = path.resolve(import.meta.dirname, '..');
const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split('.').map(Number);
if (nodeMajor < 20 || (nodeMajor === 20 && nodeMinor < 19)) {
  fail(`Node ${process.versions.node} is too old: 20.19 or newer is needed.`);
}

const [command, ...args] = process.argv.slice(2);
/** The commands that do more than run one program. */
const commands = {
  start: async () => {
    await ensureInstalled(root, 'prod');
    process.env.PAPER_BUILT = (await builtServices(root)) ?? '';
    await script('prod', path.join(root, COMMANDS.start.program), { steps: !args.includes('--print-config') });
  },
  'start:services': installed(async () => {
    process.env.PAPER_BUILT = (await builtServices(root)) ?? '';
    await script('full', path.join(root, COMMANDS['start:services'].program));
  }),
  bench: () => bench(),
  build: installed(async () => {
    const [folder] = args;
    process.exitCode = await (folder === undefined ? build(root) : buildPrograms(root, folder));
    if (process.exitCode === 0) process.stdout.write(`Built into ${folder ?? 'dist'}.\n`);
  }),
  'build:python': () => {
    process.exitCode = buildPython(root, args);
  },
  'build:clients': installed(async () => {
    const folder = path.resolve(root, args[0] ?? 'dist/clients');
    await runHere('packages/clients/client-files/src/write.ts', [folder]);
    process.stdout.write(`Built into ${folder}.\n`);
  }),
  'build:client-types': installed(() => runHere('scripts/clients/write-types.ts', [])),
  'build:docs': installed(() => {
    const folder = path.resolve(root, args[0] ?? 'dist/client-docs');
    return runTool('typedoc', ['--options', 'packages/clients/client/typedoc.json', '--out', folder]);
  }),
  test: installed(async () => {
    await registerTypeScript();
    await test(root, args);
  }),
  check: installed(async () => {
    process.exitCode = await check(root);
  }),
  format: installed(() => runTool('oxfmt', [])),
};

endWithParent();
if (command === undefined || !Object.hasOwn(COMMANDS, command)) fail(helpOfAll(COMMANDS));
if (asksForHelp(args)) process.stdout.write(helpOf(command, COMMANDS[command], args[0]));
else if (args.includes('--version')) process.stdout.write(`${versionOf()}\n`);
else await run(argumentsOf());

/** Parses the arguments. Ends the process if they are wrong, before anything is installed or loaded. */
function argumentsOf() {
  try {
    return parseArguments(command, COMMANDS[command], args);
  } catch (error) {
    return fail(error.message);
  }
}

async function run({ subcommand }) {
  if (Object.hasOwn(commands, command)) return commands[command]();
  const declared = COMMANDS[command];
  const { install = 'prod' } = declared;
  const { program = declared.program, section = declared.section } = declared.commands?.[subcommand] ?? declared;
  const file = path.join(root, program);
  if (section === undefined) return script(install, file);
  const name = args.includes('--only-power') ? 'power-loss' : section.name;
  return measured(file, { name, page: section.page, command: `npm run ${command} --` });
}

function versionOf() {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version;
}

/** Becomes the TypeScript program, which sees its own name and options in process.argv. */
async function script(install, file, { options = args, steps = false } = {}) {
  if (!existsSync(file)) fail(`${path.relative(root, file)} does not exist.`);
  await ensureInstalled(root, install);
  if (steps) showSteps('Loading');
  const program = builtBy(file);
  if (program === file) await registerTypeScript();
  // A test run in CI starts hundreds of programs, and Node reads all source maps at each start.
  else if ((process.env.CI ?? '') === '') process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0], file, ...options];
  await import(pathToFileURL(program).href);
}

/** The program as built for these sources, if it is: it starts with a third of the work. */
function builtBy(file) {
  // Benchmarks and the like are never built: they need no hash of the sources.
  const folder = isProgram(root, file) ? builtBefore(root) : null;
  return folder === null ? file : path.join(folder, path.relative(root, file).replace(/\.ts$/, '.js'));
}

/** A command that needs the development tools. */
function installed(run) {
  return async () => {
    await ensureInstalled(root, 'full');
    return run();
  };
}

/** Runs a development tool, whose exit code becomes that of this process. */
async function runTool(name, options) {
  const { code, output } = await runLocal(root, name, options);
  process.stdout.write(output);
  process.exitCode = code;
}

/** Runs a program of this repository, and ends with its exit code unless that is 0. */
async function runHere(file, options) {
  const { code, output } = await runProgram(root, file, options);
  process.stdout.write(output);
  if (code !== 0) process.exit(code);
}

async function bench() {
  const folder = path.join(root, 'packages/testing/bench/src/benchmarks');
  const names = existsSync(folder)
    ? readdirSync(folder).flatMap((name) => (name.endsWith('.ts') ? [name.slice(0, -'.ts'.length)] : []))
    : [];
  const [name, ...options] = args;
  if (name === 'compare') return script('full', path.join(root, 'packages/testing/bench/src/compare.ts'), { options });
  if (name === undefined) return benchAll(names);
  if (!names.includes(name)) {
    process.stdout.write(
      `npm run bench                      every benchmark, one after the other, into docs
npm run bench -- NAME [--write]    one of them: ${names.join(', ')}
npm run bench -- compare REV NAME… benchmarks of a revision beside those of this checkout\n`,
    );
    process.exitCode = name === '--list' ? 0 : 2;
    return;
  }
  // These benchmarks belong on the page about reliability.
  const page = ['rebuild', 'restart'].includes(name) ? 'reliability.md' : 'benchmarks.md';
  const section = { name, page, command: `npm run bench -- ${name}` };
  return measured(path.join(folder, `${name}.ts`), section, options);
}

/** Writes the figures of every benchmark. One that fails does not keep the others from running. */
async function benchAll(names) {
  for (const name of names) {
    process.stderr.write(`\n== ${name}\n`);
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'bench', name, '--write'], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}

/** Runs the program; with `--write` its output replaces its section of a page in docs. */
async function measured(file, section, options = args) {
  if (!options.includes('--write')) {
    await import('./run/uncaught.mjs');
    return script('full', file, { options });
  }
  await ensureInstalled(root, 'full');
  const rest = options.filter((option) => option !== '--write');
  process.exitCode = await runToPage(root, { ...section, file, options: rest });
}

async function registerTypeScript() {
  process.setSourceMapsEnabled(true);
  // Imported only here, since it may have just been installed.
  const { register } = await import('tsx/esm/api');
  register();
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
