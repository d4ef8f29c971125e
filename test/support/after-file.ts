const work: (() => unknown)[] = [];

/**
 * Does something when the test file that runs now is over, the latest first. Unlike `afterAll` it may be asked for anywhere:
 * what the hook of a suite hands to that is never called.
 */
export function afterFile(end: () => unknown): void {
  work.push(end);
}

/** Does all of it, as `each-file.ts` asks for. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (const end of work.splice(0).reverse())
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw new AggregateError(failures, "what a test file has begun did not end");
}
