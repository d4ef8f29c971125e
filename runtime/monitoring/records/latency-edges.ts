/** Durations, in milliseconds, between which requests are counted: a duration belongs to the first edge that is not below it (decisions, part 11). */
export const latencyEdgesMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;
