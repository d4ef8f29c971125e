/** Work that was not done in time. */
export class TimedOut extends Error {
  override readonly name: string = "TimedOut";
}

/**
 * The same promise, for somebody who has no more time than this: rejects with a `TimedOut` then, and the work itself goes on. An answer that is
 * here already, and that a busy process has not come to read, is in time.
 */
export async function withTimeout<T>(work: Promise<T>, longestMs: number, lateMessage: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new TimedOut(lateMessage))), longestMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
