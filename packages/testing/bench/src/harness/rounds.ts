/** Measures all candidates once a round, so that other load affects all. Rounds below 1 are warm-ups, not counted. */
export async function inTurns<Candidate, Result>(
  candidates: readonly Candidate[],
  { rounds, warmUps = 0 }: { readonly rounds: number; readonly warmUps?: number },
  measure: (candidate: Candidate, round: number) => Result | Promise<Result>,
): Promise<readonly (readonly Result[])[]> {
  const results = candidates.map((): Result[] => []);
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    for (const [index, candidate] of candidates.entries()) {
      const result = await measure(candidate, round);
      if (round > 0) results[index]?.push(result);
    }
  }
  return results;
}
