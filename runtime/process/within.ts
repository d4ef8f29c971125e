/** The same promise, for somebody who has no more time than this: rejects then, and the work itself goes on. */
export async function within<T>(work: Promise<T>, longestMs: number, lateMessage: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(lateMessage)), longestMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
