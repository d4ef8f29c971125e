/** A clock that only advances on request. */
export interface TestClock {
  /** Milliseconds. */
  now(): number;
  pass(seconds: number): void;
}

/** Begins at the present moment: tokens that the tests sign are good by it. */
export function testClock(): TestClock {
  let now = Date.now();
  return {
    now: () => now,
    pass(seconds) {
      now += seconds * 1000;
    },
  };
}
