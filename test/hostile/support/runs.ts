/**
 * Parameters of a property test: the same runs each time. `HOSTILE_SEED` and `HOSTILE_FACTOR` (of the number of runs) look
 * further.
 */
export function runs(numRuns: number) {
  const { HOSTILE_SEED: seed = "7", HOSTILE_FACTOR: factor = "1" } = process.env;
  return { seed: Number(seed), numRuns: Math.ceil(numRuns * Number(factor)), endOnFailure: true };
}
