import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MOUNTED = '/run/secrets/';

/** The secrets of infra/secrets/make.sh, in a folder of a test. */
export class MadeSecrets {
  readonly folder: string;

  constructor(root: string) {
    this.folder = path.join(mkdtempSync(path.join(tmpdir(), 'paper-secrets-')), 'secrets');
    execFileSync('sh', [path.join(root, 'infra/secrets/make.sh'), this.folder], { stdio: 'ignore' });
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8').trim();
  }

  /** An environment as its container finds it, with the secrets that its files of MOUNTED have. */
  opened(environment: Readonly<Record<string, string>>): Record<string, string> {
    const opened = Object.entries(environment).map(([name, value]) =>
      value.startsWith(MOUNTED) ? [name.replace(/_FILE$/, ''), this.read(value.slice(MOUNTED.length))] : [name, value],
    );
    return Object.fromEntries(opened) as Record<string, string>;
  }

  remove(): void {
    rmSync(path.dirname(this.folder), { recursive: true });
  }
}
