import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Buildah, ImageConfig } from './buildah.ts';
import { runCommandLine, runOrThrow } from './command.ts';
import type { Ended } from './command.ts';
import type { ComposedService } from './compose-file.ts';
import { isOfHost } from './mounted-files.ts';
import type { MountedFile } from './mounted-files.ts';
import type { Host } from './private-network.ts';

/**
 * Prints the program's exit code at the end: buildah 1.28 ends with 2, since its cleanup fails on a read-only system.
 */
const REPORTING_SHELL = ['sh', '-c', '"$@"; code=$?; echo "exit code $code" >&2; exit $code', 'sh'];

/** The exit code of a program in a container; null if it was killed. */
export function exitCodeOf({ output }: Ended): number | null {
  const code = /^exit code (\d+)$/m.exec(output)?.[1];
  return code === undefined ? null : Number(code);
}

export type Rights = ReturnType<typeof rightsOf>;

/** The fields of a service in docker-compose.yml that its container follows. */
export type Wiring = Pick<ComposedService, 'environment' | 'tmpfs' | 'volumes' | 'cap_drop' | 'security_opt'>;

export interface ContainerOptions {
  readonly buildah: Buildah;
  readonly image: string;
  readonly volumesIn: string;
  /** A file in the form of /etc/hosts. */
  readonly hostsFile: string;
  /** Maps a mounted file or folder, such as `./certificates/ca.crt`, to its place on this machine. */
  readonly placeOf: (source: string) => string;
  /** The files and folders of the host that are mounted. */
  readonly mounts: readonly MountedFile[];
}

/** A container of one image, with a read-only file system. Any number of processes run in it, each on its own host. */
export class Container {
  private constructor(
    private readonly options: ContainerOptions,
    private readonly id: string,
    private readonly mounted: string,
    readonly config: ImageConfig,
  ) {}

  static async create(options: ContainerOptions): Promise<Container> {
    const { buildah, image, mounts, placeOf } = options;
    const config = await buildah.configOf(image);
    const id = await buildah.run('from', '--pull=never', image);
    const mounted = await buildah.run('mount', id);
    // The folders for buildah's own mounts, which cannot be made later on a read-only file system.
    const isFolder = ({ source }: MountedFile): boolean => statSync(placeOf(source)).isDirectory();
    const targetsOf = (those: readonly MountedFile[]): readonly string[] => those.map(({ target }) => target);
    for (const place of ['dev', 'proc', 'sys', 'run', ...targetsOf(mounts.filter(isFolder))]) {
      mkdirSync(path.join(mounted, place), { recursive: true });
    }
    const files = targetsOf(mounts.filter((one) => !isFolder(one)));
    for (const place of ['etc/hosts', 'etc/resolv.conf', 'run/.containerenv', ...files]) {
      const file = path.join(mounted, place);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '', { flag: 'a' });
    }
    await runOrThrow(['mount', '--bind', mounted, mounted]);
    await runOrThrow(['mount', '-o', 'remount,bind,ro', mounted]);
    return new Container(options, id, mounted, config);
  }

  /** Whether even root cannot write anywhere. */
  async isReadOnly(): Promise<boolean> {
    const options = ['run', ...this.#mounts({}), '--user', 'root', this.id, '--'];
    const words = this.options.buildah.command([...options, ...REPORTING_SHELL, 'touch', '/app/probe']);
    return (await this.run(words)).output.includes('Read-only file system');
  }

  /** Runs a command line with REPORTING_SHELL, up to three times, since buildah itself fails on a busy machine. */
  async run(words: readonly string[]): Promise<Ended> {
    for (let attempt = 1; ; attempt += 1) {
      const ended = await runCommandLine(words, { env: this.env });
      if (exitCodeOf(ended) !== null) return ended;
      if (attempt === 3) throw new Error(`${words.join(' ')} did not run:\n${ended.output}`);
    }
  }

  /** The command line that runs a program of the image on a host, as the image's user. */
  commandLine(host: Host, wiring: Wiring, program: readonly string[]): readonly string[] {
    const { cap_drop: dropped = [], environment = {}, security_opt: security = [] } = wiring;
    const restricted = security.includes('no-new-privileges:true') ? ['setpriv', '--no-new-privs', '--'] : [];
    return [
      ...host.prefix,
      ...restricted,
      ...this.options.buildah.command([
        'run',
        ...dropped.flatMap((capability) => ['--cap-drop', capability.toLowerCase()]),
        ...this.#mounts(wiring),
        ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        this.id,
        '--',
        ...REPORTING_SHELL,
        ...program,
      ]),
    ];
  }

  get env(): NodeJS.ProcessEnv {
    return this.options.buildah.env;
  }

  #mounts({ tmpfs = [], volumes = [] }: Pick<Wiring, 'tmpfs' | 'volumes'>): readonly string[] {
    return [
      ...['--no-hosts', '--volume', `${this.options.hostsFile}:/etc/hosts:ro`],
      ...tmpfs.flatMap((target) => ['--mount', `type=tmpfs,target=${target}`]),
      ...volumes.flatMap((volume) => {
        const [source = '', target = '', ...rights] = volume.split(':');
        const place = isOfHost(source) ? this.options.placeOf(source) : this.#volume(source, target);
        return ['--volume', [place, target, ...rights].join(':')];
      }),
    ];
  }

  /** The folder of a named volume. As with Docker, a new one has the permissions of the image's folder. */
  #volume(name: string, target: string): string {
    const folder = path.join(this.options.volumesIn, name);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, statSync(path.join(this.mounted, target)).mode & 0o7777);
    return folder;
  }
}

/** The rights of a process in a container, as the kernel reports them. */
export function rightsOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): string => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].map(field);
  return {
    uid: Number(field('Uid')),
    hasNoCapabilities: sets.every((set) => /^0+$/.test(set)),
    /** buildah leaves one capability in the bounding set. This flag makes it void. */
    getsNoNewPrivileges: field('NoNewPrivs') === '1',
  };
}
