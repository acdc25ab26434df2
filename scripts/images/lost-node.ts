import { setTimeout as sleep } from 'node:timers/promises';
import { runOrThrow } from './command.ts';
import type { ComposedSet } from './composed-set.ts';
import type { Host } from './private-network.ts';
import { tradeThrough } from './trade.ts';

export type LostNode = Awaited<ReturnType<typeof loseLeader>>;

export interface Cluster {
  readonly set: ComposedSet;
  readonly baseUrl: string;
  readonly operatorToken: string;
  /** The hosts of the nodes, by their names. */
  readonly nodes: ReadonlyMap<string, Host>;
  readonly caFile: string;
}

/** A member of the cluster, as a node reports it. */
interface Member {
  readonly state: string;
  readonly isAlive: boolean;
  readonly httpEndPointIp: string;
  readonly writerCheckpoint: number;
}

const LIMIT_MS = 120_000;
const AUDIT = ['node', '--enable-source-maps', 'src/programs/audit.js', 'verify'];

/**
 * Kills the leading node, trades through the front door as soon as that is possible, verifies the journal on the
 * remaining nodes, and starts the node again. Returns its state then, e.g. Follower. @throws Error when a step fails or
 * takes more than two minutes
 */
export async function loseLeader(cluster: Cluster) {
  const { set } = cluster;
  const [asked] = cluster.nodes.values();
  if (asked === undefined) throw new Error('the cluster has no node');
  const leader = await until('the followers have all that the leader wrote', async () => {
    const members = await membersAt(asked, cluster);
    const [own] = members.filter(({ state }) => state === 'Leader');
    const isCopied = members.every(({ writerCheckpoint }) => writerCheckpoint === own?.writerCheckpoint);
    return own !== undefined && members.length === cluster.nodes.size && isCopied ? own.httpEndPointIp : null;
  });
  const killedMs = performance.now();
  await set.kill(leader);
  await tradeThrough(cluster.baseUrl, cluster.operatorToken, 'after-the-loss');
  const orderAfterSeconds = (performance.now() - killedMs) / 1000;
  const audit = await set.runTask('backup', AUDIT);
  const [left] = [...cluster.nodes].filter(([name]) => name !== leader).map(([, host]) => host);
  const stateAfterwards = await until(`${leader} is back`, async () => {
    await set.startAgain(leader);
    const members = left === undefined ? [] : await membersAt(left, cluster);
    const back = members.find(({ httpEndPointIp, isAlive }) => httpEndPointIp === leader && isAlive);
    return back !== undefined && ['Follower', 'Leader'].includes(back.state) ? back.state : null;
  });
  return { name: leader, orderAfterSeconds, audit, stateAfterwards };
}

async function membersAt(host: Host, { caFile }: Cluster): Promise<readonly Member[]> {
  const json = ['--header', 'accept: application/json', '--cacert', caFile];
  const answer = await runOrThrow([...host.prefix, 'curl', '--silent', ...json, 'https://localhost:2113/gossip']);
  return (JSON.parse(answer) as { readonly members: readonly Member[] }).members;
}

async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const found = await ask();
    if (found !== null) return found;
    if (performance.now() > endMs) throw new Error(`not after ${LIMIT_MS / 1000} s: ${what}`);
    await sleep(50);
  }
}
