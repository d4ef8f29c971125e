/** A pause that somebody may end before its time. */
export interface Pause {
  readonly over: Promise<void>;
  end(): void;
}

/** Makes a pause of so many milliseconds. */
export type Pauses = (ms: number) => Pause;

/** By the system's clock; no process stays for one. */
export const realPauses: Pauses = (ms) => {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    end = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { over, end: () => end() };
};

const firstMs = 1_000;
const longestMs = 60_000;

/** How long to wait after so many failures in a row: ever longer, at most a minute (decisions, part 11). */
export function pauseAfter(failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 10));
}
