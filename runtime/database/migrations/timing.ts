/** How long a run waits for others. All in milliseconds. */
export interface Timing {
  /** Longest time that a transaction waits for a table, and everybody else behind it. */
  readonly lockTimeoutMs: number;
  /** How often a transaction that met a lock is tried. */
  readonly attempts: number;
  /** The pause after the first attempt; each one is twice as long as the one before, up to 20 times the first. */
  readonly pauseMs: number;
  /** A step that takes longer says how far it is, each time that this has passed. */
  readonly progressMs: number;
  /** How often an instance asks whether another one has finished. */
  readonly pollMs: number;
  /** Longest time until a connection stands. */
  readonly connectTimeoutMs: number;
}

const defaultTiming: Timing = {
  lockTimeoutMs: 2_000,
  attempts: 10,
  pauseMs: 500,
  progressMs: 5_000,
  pollMs: 250,
  connectTimeoutMs: 10_000,
};

/** The timing that some settings come to. */
export function timingOf({ timing }: { readonly timing?: Partial<Timing> }): Timing {
  return { ...defaultTiming, ...timing };
}
