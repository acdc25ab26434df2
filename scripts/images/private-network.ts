import { readlinkSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCommand, runOrThrow } from './command.ts';

/** A network namespace on the bridge, for one container. */
export interface Host {
  readonly name: string;
  readonly address: string;
  /** The beginning of a command line that runs there. */
  readonly prefix: readonly string[];
  /** The processes there whose program's path ends with this text, such as `/node`, oldest first. */
  pidsOf(program: string): readonly number[];
}

const BRIDGE = 'paper0';

/** A bridge without a way out, and hosts on it, so that every container has the ports that its image declares. */
export class PrivateNetwork {
  #hosts = 0;

  private constructor() {}

  static async create(): Promise<PrivateNetwork> {
    await runOrThrow(['ip', 'link', 'set', 'lo', 'up']);
    await runOrThrow(['ip', 'link', 'add', BRIDGE, 'type', 'bridge']);
    await runOrThrow(['ip', 'address', 'add', '10.77.0.1/16', 'dev', BRIDGE]);
    await runOrThrow(['ip', 'link', 'set', BRIDGE, 'up']);
    return new PrivateNetwork();
  }

  async addHost(name: string): Promise<Host> {
    this.#hosts += 1;
    const number = this.#hosts;
    const address = `10.77.1.${number}`;
    const pid = await holdNamespace();
    const prefix = ['nsenter', `--net=/proc/${pid}/ns/net`, '--'];
    const outer = `paper-v${number}`;
    await runOrThrow(['ip', 'link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)]);
    await runOrThrow(['ip', 'link', 'set', outer, 'master', BRIDGE, 'up']);
    const inside = `ip address add ${address}/16 dev eth0 && ip link set eth0 up && ip link set lo up`;
    await runOrThrow([...prefix, 'sh', '-c', inside]);
    const namespace = namespaceOf(pid);
    return { name, address, prefix, pidsOf: (program) => pidsIn(namespace ?? '', program) };
  }
}

/** Starts a process that only holds a network namespace. */
async function holdNamespace(): Promise<number> {
  const own = namespaceOf('self');
  const { child, output } = startCommand(['unshare', '--net', '--', 'sleep', 'infinity']);
  const { pid } = child;
  if (pid === undefined) throw new Error('unshare could not be started');
  for (;;) {
    const found = namespaceOf(pid);
    if (found !== null && found !== own) return pid;
    if (child.exitCode !== null) throw new Error(`no network namespace: ${output()}`);
    await sleep(10);
  }
}

function namespaceOf(pid: number | string): string | null {
  return linkOf(`/proc/${pid}/ns/net`);
}

function pidsIn(namespace: string, program: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => namespaceOf(pid) === namespace && linkOf(`/proc/${pid}/exe`)?.endsWith(program) === true)
    .map(Number)
    .sort((a, b) => a - b);
}

/** The target of a link; null if the process has ended. */
function linkOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
