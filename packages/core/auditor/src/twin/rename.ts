import type { CommandOf } from '../events/judged-commands.ts';
import { accountOf, DAY_MS, decidedAt, emit, refuse } from './world.ts';
import type { Key, Verdict, World } from './world.ts';

const WEEK_MS = 7 * DAY_MS;

/** Gives the maker's account another display name, if its last change was at least a week ago. */
export function renameAccount(world: World, { nameDigest }: CommandOf<'RenameAccount'>, maker: Key): Verdict {
  const account = accountOf(world, maker.accountId);
  const at = decidedAt(world);
  if (account.renamed !== null && at - account.renamed.at < WEEK_MS) return refuse('limit_reached');
  account.renamed = { at, nameDigest };
  emit(world, 'AccountRenamed', { accountId: account.id, nameDigest });
  return { kind: 'accepted', events: world.emitted };
}
