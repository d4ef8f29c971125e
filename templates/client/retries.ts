import type { Failure } from "./errors.ts";
import type { ApiRequest, Success } from "./request.ts";

/** Repeats what is safe to repeat: reads, and writes of which the service says that nothing was done. */
export async function repeated(
  { method, raw, signal }: ApiRequest,
  retries: number,
  attempt: () => Promise<Success>,
): Promise<Success> {
  let waited = 0;
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (thrown) {
      const { status, error, retryAfter } = thrown as Failure;
      const isRead = method === "GET";
      const isSafe =
        status === 503
          ? isRead || retryAfter !== undefined
          : status === 429 || (isRead && error === "NETWORK_ERROR");
      const seconds = retryAfter ?? 0.25 * 2 ** tried * (0.75 + Math.random() / 2);
      waited += seconds;
      if (!isSafe || isStream(raw) || tried >= retries || waited > 60) throw thrown;
      await sleep(seconds * 1000, signal);
    }
  }
}

/** A stream can be sent once. */
export function isStream(raw: BodyInit | undefined): boolean {
  return typeof raw === "object" && "getReader" in raw;
}

/** Ends early, without an error, if the signal aborts: the next try then reports that. */
function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal?.addEventListener("abort", wake);
  });
}
