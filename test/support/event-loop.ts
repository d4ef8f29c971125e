import type { EventLoop } from "#runtime/http/index";

/** An event loop whose turns end only when it is told to. */
export interface TestLoop extends EventLoop {
  /** Time goes on by so many milliseconds. */
  pass(ms: number): void;
  /** Ends the present turn. What is begun then has the next one. */
  endTurn(): void;
  /** How often somebody asked what time it is. */
  asked(): number;
  /** Whether somebody wants to know of the end of this turn. */
  isWatched(): boolean;
}

/** `clock`: what time is reckoned from; default a moment that stays. */
export function testLoop(clock: () => number = () => 0): TestLoop {
  let passed = 0;
  let asked = 0;
  let watching: (() => void)[] = [];
  return {
    now() {
      asked++;
      return clock() + passed;
    },
    afterTurn: (callback) => void watching.push(callback),
    pass(ms) {
      passed += ms;
    },
    endTurn() {
      const told = watching;
      watching = [];
      for (const tell of told) tell();
    },
    asked: () => asked,
    isWatched: () => watching.length > 0,
  };
}
