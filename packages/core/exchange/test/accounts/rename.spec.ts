import { renamedDigest } from '@paper/exchange';
import type { Actor, CommandOf } from '@paper/exchange/commands';
import { base, issueKey, keyOf, openSubAccount, OPERATOR, SYSTEM, tradingScenario } from '@paper/testkit';
import { expect } from 'chai';
import { checkInvariants } from '../invariants.ts';
import { keyed, later, mandate } from '../tool-commands.ts';

const DIGESTS = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const [FIRST, SECOND, THIRD] = DIGESTS;
const WEEK_MS = 7 * 86_400_000;

const rename = (nameDigest: string, by: Actor = keyOf('ann')): CommandOf<'RenameAccount'> => ({
  ...base(by, `rename-${nameDigest.slice(0, 1)}`),
  nameDigest,
  type: 'RenameAccount',
});
const scenario = () => tradingScenario({}, checkInvariants);

describe('changing the display name', () => {
  it('puts the digest into the event, and into the state', () => {
    const s = scenario();
    s.when(rename(FIRST)).then(`{"accountId":"ann","nameDigest":"${FIRST}","type":"AccountRenamed"}`);
    expect([renamedDigest(s.state, 'ann'), renamedDigest(s.state, 'bob')]).to.deep.equal([FIRST, '']);
  });

  it('is possible again 7 days after the last change, by the time of events', () => {
    const s = scenario().given(rename(FIRST));
    s.when(later(WEEK_MS - 1, rename(SECOND))).thenRejected(
      'limit_reached',
      'A display name can be changed once in 7 days: this one again in 1 h.',
    );
    s.when(later(1, rename(SECOND))).thenRejected('limit_reached', /this one again in 7 d 0 h\.$/);
    s.when(later(5_400_000, rename(SECOND))).thenRejected('limit_reached', /this one again in 6 d 23 h\.$/);
    s.given(later(WEEK_MS, rename(SECOND)));
    expect(renamedDigest(s.state, 'ann')).to.equal(SECOND);
    s.when(later(WEEK_MS + 1, rename(THIRD))).thenRejected('limit_reached');
    s.given(later(WEEK_MS + 1, rename(THIRD, keyOf('bob'))));
  });

  it('is repeated by its Idempotency-Key, also within the 7 days', () => {
    const s = scenario().given(keyed('k', rename(FIRST)));
    s.when(keyed('k', rename(SECOND))).thenNothing('replayed');
    s.when(keyed('k', rename(SECOND), 'other')).thenRejected('idempotency_conflict');
  });

  it('needs a master key, and is of the key’s own account; a mandate does not matter', () => {
    const s = scenario().given(
      openSubAccount('sub'),
      issueKey('trader', { permissions: ['view', 'trade'] }),
      issueKey('limited', { permissions: ['view', 'master'] }),
      mandate('limited', { maxShares: 5 }),
    );
    s.when(rename(FIRST, keyOf('sub'))).thenRejected('primary_account_required');
    s.when(rename(FIRST, keyOf('ann', 'trader'))).thenRejected('forbidden');
    for (const by of [OPERATOR, SYSTEM]) s.when(rename(FIRST, by)).thenRejected('not_authenticated');
    s.when(rename('x')).thenRejected('validation_failed');
    s.given(rename(FIRST, keyOf('ann', 'limited')));
  });
});
