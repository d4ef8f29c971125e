import { type Failure, isApiError } from "./errors.ts";
import type { ApiRequest, Success } from "./request.ts";

/** Repeats what is safe to repeat: reads, and writes of which the service says that nothing was done. */
export async function repeated(
  request: ApiRequest,
  retries: number,
  attempt: () => Promise<Success>,
): Promise<Success> {
  let waited = 0;
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= retries || !isApiError(error) || !isRepeatable(request, error)) throw error;
      const seconds = error.retryAfter ?? 0.25 * 2 ** tried * (0.75 + Math.random() / 2);
      waited += seconds;
      if (waited > 60) throw error;
      await sleep(seconds * 1000, request.options?.signal);
    }
  }
}

function isRepeatable({ method, raw }: ApiRequest, { status, error, retryAfter }: Failure): boolean {
  if (isStream(raw)) return false;
  const isRead = method === "GET";
  if (status === 503) return isRead || retryAfter !== undefined;
  return status === 429 || (isRead && error === "NETWORK_ERROR");
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
