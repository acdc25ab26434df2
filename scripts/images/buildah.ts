import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { runOrThrow } from './command.ts';

/** The settings of an image that `docker run` would follow. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  /** `['CMD', program, …arguments]`. */
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

export interface BuildahOptions {
  readonly folder: string;
  /** overlay, or vfs if the kernel or the file system has no overlays; vfs copies every layer as a whole. */
  readonly driver: string;
}

/** Debian's buildah on a storage of its own. It builds and runs without a daemon, by chroot. */
export class Buildah {
  readonly #options: readonly string[];
  readonly #env: NodeJS.ProcessEnv;

  constructor({ driver, folder }: BuildahOptions) {
    const temporary = path.join(folder, 'tmp');
    mkdirSync(temporary, { recursive: true });
    // Mounts are counted in runroot, and end with the namespace of this process.
    const runRoot = path.join(folder, `run-${process.pid}-${Date.now()}`);
    this.#options = ['--storage-driver', driver, '--root', path.join(folder, 'storage'), '--runroot', runRoot];
    this.#env = { ...process.env, BUILDAH_ISOLATION: 'chroot', TMPDIR: temporary };
  }

  command(args: readonly string[]): readonly string[] {
    return ['buildah', ...this.#options, ...args];
  }

  get env(): NodeJS.ProcessEnv {
    return this.#env;
  }

  /** Runs buildah; returns its standard output. @throws Error when it fails. */
  run(...args: readonly string[]): Promise<string> {
    return runOrThrow(this.command(args), { env: this.#env });
  }

  async has(image: string): Promise<boolean> {
    const names = await this.run('images', '--format', '{{.Name}}:{{.Tag}}');
    return names.split('\n').includes(image);
  }

  /** The size of an image including its base, such as `356 MB`. */
  sizeOf(image: string): Promise<string> {
    return this.run('images', '--format', '{{.Size}}', image);
  }

  async configOf(image: string): Promise<ImageConfig> {
    const { Docker } = JSON.parse(await this.run('inspect', '--type', 'image', image)) as {
      readonly Docker: { readonly config: ImageConfig };
    };
    return Docker.config;
  }
}
