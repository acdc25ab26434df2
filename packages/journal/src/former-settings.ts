/**
 * The settings of an epoch in version 1, as version 2 reads them: revoked keys were neither limited nor forgotten then,
 * so both limits are out of reach. In the event and in its command alike.
 */
export function settingsOfV1(settings: unknown): object {
  const { runChunk, startingBalanceUnits, subAccountsPerPrimary, ...head } = settings as Readonly<
    Record<string, unknown>
  >;
  const added = { revokedKeyWindowMs: Number.MAX_SAFE_INTEGER, revokedKeysPerAccount: Number.MAX_SAFE_INTEGER };
  return { ...head, ...added, runChunk, startingBalanceUnits, subAccountsPerPrimary };
}
