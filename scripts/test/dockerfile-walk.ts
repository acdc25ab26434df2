import dockerignore from '@balena/dockerignore';
import { Copy, DockerfileParser, From } from 'dockerfile-ast';
import type { Instruction, Dockerfile } from 'dockerfile-ast';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The result of one stage of a Dockerfile. */
export interface BuiltStage {
  /** The stage's file system, without its base image. */
  readonly root: string;
  /** The working directory of its program, on this machine. */
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  /** CMD in its JSON form, `["node", "main.js"]`. */
  readonly cmd: readonly string[];
  readonly healthcheck: readonly string[];
  readonly user: string | null;
}

type Stage = { -readonly [Field in keyof BuiltStage]: BuiltStage[Field] };

export interface DockerfileWalk {
  /** Carries out the last stage and those that it needs. A stage without ARG is carried out once. */
  build(args: Readonly<Record<string, string>>): BuiltStage;
}

/**
 * Carries out a Dockerfile without a container engine: each stage is a folder, COPY copies, RUN runs in this machine's
 * shell, and this machine replaces the base image. Steps that cannot be carried out so, such as a RUN with absolute
 * paths, throw, so that no step is skipped silently.
 */
export function walkDockerfile(file: string, context: string, folder: string): DockerfileWalk {
  const parsed = DockerfileParser.parse(readFileSync(file, 'utf8'));
  const sent = path.join(folder, 'context');
  sendContext(context, sent);
  const stages = stagesOf(parsed);
  const built = new Map<string, Stage>();
  let roots = 0;

  const stage = (name: string, args: Readonly<Record<string, string>>): Stage => {
    const instructions = stages.get(name);
    if (instructions === undefined) throw new Error(`the Dockerfile has no stage ${name}`);
    const key = instructions.some((one) => one.getKeyword() === 'ARG') ? `${name} ${JSON.stringify(args)}` : name;
    const found = built.get(key);
    if (found !== undefined) return found;
    const made = carryOut(instructions, args);
    built.set(key, made);
    return made;
  };

  const carryOut = (instructions: readonly Instruction[], args: Readonly<Record<string, string>>): Stage => {
    const from = fromOf(instructions);
    const base = stages.has(from) ? stage(from, args) : null;
    roots += 1;
    const root = path.join(folder, `stage-${roots}`);
    mkdirSync(root, { mode: 0o755 });
    if (base !== null) succeed('cp', ['-al', `${base.root}/.`, root], folder, {});
    const workdir = base === null ? root : path.join(root, path.relative(base.root, base.workdir));
    const made: Stage = { cmd: [], env: {}, healthcheck: [], user: null, ...base, root, workdir };
    for (const instruction of instructions.slice(1)) step(made, instruction, args);
    return made;
  };

  const step = (at: Stage, instruction: Instruction, args: Readonly<Record<string, string>>): void => {
    const inside = (to: string): string => path.join(path.isAbsolute(to) ? at.root : at.workdir, to);
    const words = instruction.getArguments().map((word) => word.getValue());
    const text = instruction.getArgumentsContent() ?? '';
    switch (instruction.getKeyword()) {
      case 'WORKDIR':
        at.workdir = inside(text);
        mkdirSync(at.workdir, { recursive: true, mode: 0o755 });
        return;
      case 'COPY': {
        const source = instruction instanceof Copy ? instruction.getFromFlag()?.getValue() : null;
        const within = typeof source === 'string' ? stage(source, args).root : sent;
        const target = words.at(-1) ?? '.';
        for (const one of words.slice(0, -1)) copy(path.join(within, one), inside(target));
        return;
      }
      case 'RUN':
        succeed('sh', ['-c', text], at.workdir, { ...args, ...at.env });
        return;
      case 'ENV':
        for (const [, name = '', value = ''] of words.map((word) => /^(\w+)=(.*)$/s.exec(word) ?? [])) {
          at.env = { ...at.env, [name]: value };
        }
        return;
      case 'USER':
        at.user = text;
        return;
      case 'HEALTHCHECK':
        at.healthcheck = execForm(text.slice(text.indexOf('CMD') + 'CMD'.length));
        return;
      case 'CMD':
        at.cmd = execForm(text);
        return;
      case 'ARG':
      case 'EXPOSE':
      case 'LABEL':
        return;
      default:
        throw new Error(`it is not known how to carry out ${instruction.getKeyword()}`);
    }
  };

  const last = [...stages.keys()].at(-1) ?? '';
  return { build: (args) => stage(last, args) };
}

function stagesOf(parsed: Dockerfile): Map<string, Instruction[]> {
  const stages = new Map<string, Instruction[]>();
  for (const instruction of parsed.getInstructions()) {
    if (instruction instanceof From) stages.set(instruction.getBuildStage() ?? String(stages.size), []);
    [...stages.values()].at(-1)?.push(instruction);
  }
  return stages;
}

function fromOf([first]: readonly Instruction[]): string {
  return (first instanceof From ? first.getImage() : null) ?? '';
}

/** Copies the build context: all files that .dockerignore does not exclude. */
function sendContext(context: string, to: string): void {
  const ignored = dockerignore.default().add(readFileSync(path.join(context, '.dockerignore'), 'utf8'));
  cpSync(context, to, {
    recursive: true,
    filter(source) {
      const relative = path.relative(context, source);
      // Excluded by .dockerignore, and too large to walk.
      if (['node_modules', '.git'].includes(path.basename(source))) return false;
      return relative === '' || !ignored.ignores(relative) || isOnTheWay(relative);
    },
  });
}

/** Excluded folders that contain included files. */
const isOnTheWay = (relative: string): boolean => relative === 'infra';

/** A folder's content goes into the target, a file under its own name. */
function copy(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o755 });
  // Links instead of copies: a deployed service has thousands of files, of which the steps change none.
  succeed('cp', ['-al', path.extname(from) === '' ? `${from}/.` : from, to], '/', {});
}

function execForm(text: string): string[] {
  return JSON.parse(text) as string[];
}

function succeed(program: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): void {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', env: { PATH, HOME, ...env } });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
