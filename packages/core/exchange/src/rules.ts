/**
 * The version of the rules that a new epoch decides by. While the version stays, the same commands give the same
 * events; the golden corpora of the tests check this. WriterEpochStarted puts the version of its epoch into the state,
 * and `decide`, `evolve` and the auditor's twin follow it, so a journal may hold epochs of every version.
 *
 * 2: orders at or after closesAt are refused, closesAt cannot be changed to a time that has passed, a void needs its
 *    price, the memory of Idempotency-Keys is shared between fleets, revoked keys are limited and forgotten.
 * 3: the order tools: orders carry their key and what they spend of its day; post-only, expiry, amendments, cancels of
 *    many, dead-man switches, merges and mandates.
 * 4: accounts are closed, and their display names forgotten.
 * 5: a market whose closesAt has passed can be listed only as closed; a key that has a mandate can revoke only itself;
 *    a signal is published at most 24 hours after it is recorded;
 *    the changes of an order carry its clientOrderId, its expiry, post-only, and the cost of its earlier fills.
 * 6: a primary's master key closes its sub-accounts, and changes the display name of the primary.
 */
export const RULES_VERSION = 6;
