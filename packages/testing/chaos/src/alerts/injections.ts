import type { FakeClocks } from '../fake-clocks.ts';
import type { LoopDisk } from '../services/loop-disk.ts';
import type { ServiceExchange } from '../services/service-exchange.ts';

/** The services under test, and the tools that inject faults. A string is the reason why this machine lacks the tool. */
export interface FaultTools {
  readonly exchange: ServiceExchange;
  readonly disk: LoopDisk | string;
  readonly clocks: FakeClocks | string;
}

export type Heal = () => void;

const HOUR_S = 3_600;
const NOTHING: Heal = () => undefined;

/** Injects the fault with this name. Resolves to a text if this machine cannot, with the reason. */
export async function inject(name: string, tools: FaultTools): Promise<Heal | string> {
  const { clocks, disk, exchange } = tools;
  switch (name) {
    case 'postgres-away':
      exchange.proxy.cut();
      return () => exchange.proxy.mend();
    case 'redis-away':
      exchange.redis.cut();
      return () => exchange.redis.mend();
    case 'disk-full':
      return typeof disk === 'string' ? disk : fillOver(disk);
    case 'clock-wrong':
      if (typeof clocks === 'string') return clocks;
      clocks.set({ machineS: 0, processS: HOUR_S });
      return () => clocks.set({ machineS: 0, processS: 0 });
    case 'process-down':
      return freeze(exchange, (process) => process === 'query-api-1');
    case 'leader-killed':
      await killLeader(exchange);
      return NOTHING;
    default: {
      const service = name.replace(/-down$/, '');
      return freeze(exchange, (process) => process === service || process.startsWith(`${service}-`));
    }
  }
}

const FILL_EVERY_MS = 1_000;

/** Fills the disk, and fills again whatever is freed, until the fault is healed. */
function fillOver(disk: LoopDisk): Heal {
  disk.fill();
  const timer = setInterval(() => disk.fill(), FILL_EVERY_MS);
  return () => {
    clearInterval(timer);
    disk.free();
  };
}

/** Suspends processes: they keep their connections, and answer nothing. */
async function freeze({ set }: ServiceExchange, isMeant: (name: string) => boolean): Promise<Heal> {
  const pids = (await set.status()).flatMap(({ name, pid }) => (isMeant(name) && pid !== null ? [pid] : []));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

async function killLeader({ set }: ServiceExchange): Promise<void> {
  const processes = await set.status();
  const leader = processes.find(({ name, readiness }) => name.startsWith('command-api-') && readiness === 'ready');
  if (leader?.pid === undefined || leader.pid === null) throw new Error('no command-api leads');
  process.kill(leader.pid, 'SIGKILL');
}
