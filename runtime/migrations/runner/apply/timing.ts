/** How long a run waits for others. All in milliseconds. */
export interface Timing {
  /** Longest time that a transaction waits for all of its tables, and everybody else behind it. */
  readonly lockTimeoutMs: number;
  /** How many times a transaction that cannot get a lock is attempted. */
  readonly attempts: number;
  /** The same for the last transaction of a migration whose indexes are made already: they would be lost. */
  readonly lastAttempts: number;
  /** The pause after the first attempt; each one is twice as long as the one before, up to 20 times the first. */
  readonly retryDelayMs: number;
  /** The interval at which a long step logs its progress. */
  readonly progressMs: number;
  /** How often an instance asks whether another one has finished. */
  readonly pollMs: number;
  /** Longest time until a connection stands. */
  readonly connectTimeoutMs: number;
  /** Longest time until the connection that holds the lock answers, or ends. */
  readonly answerTimeoutMs: number;
  /** Longest time that a transaction lasts in which nothing happens: PostgreSQL ends it, as its process froze. */
  readonly idleTimeoutMs: number;
}

const defaultTiming: Timing = {
  lockTimeoutMs: 2_000,
  attempts: 10,
  lastAttempts: 100,
  retryDelayMs: 500,
  progressMs: 5_000,
  pollMs: 250,
  connectTimeoutMs: 10_000,
  answerTimeoutMs: 5_000,
  idleTimeoutMs: 30_000,
};

/** The timing: defaults, overridden by the settings. */
export function timingOf({ timing }: { readonly timing?: Partial<Timing> }): Timing {
  return { ...defaultTiming, ...timing };
}
