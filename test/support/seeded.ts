/** Random numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Parameters of a property test: the same runs each time. `HOSTILE_SEED` and `HOSTILE_FACTOR` (of the number of runs) look
 * further.
 */
export function runs(numRuns: number) {
  const { HOSTILE_SEED: seed = "7", HOSTILE_FACTOR: factor = "1" } = process.env;
  return { seed: Number(seed), numRuns: Math.ceil(numRuns * Number(factor)), endOnFailure: true };
}
