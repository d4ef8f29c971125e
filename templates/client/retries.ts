import type { Failure } from "./errors.ts";
import type { ApiRequest, Outcome } from "./request.ts";

/** All pauses of a call together, in milliseconds. */
const longestWait = 60_000;

/** Repeats what is safe to repeat: reads, and writes of which the service says that nothing was done. */
export async function repeated(
  request: ApiRequest,
  retries: number,
  attempt: () => Promise<Outcome>,
): Promise<Outcome> {
  let waited = 0;
  for (let tried = 0; ; tried++) {
    const outcome = await attempt();
    if (outcome.ok || tried >= retries || !isRepeatable(request, outcome.error)) return outcome;
    const { retryAfter } = outcome.error;
    const pause =
      retryAfter === undefined ? 250 * 2 ** tried * (0.75 + Math.random() / 2) : retryAfter * 1000;
    waited += pause;
    if (waited > longestWait) return outcome;
    await sleep(pause, request.options?.signal);
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
