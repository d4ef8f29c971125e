import type { Failure } from "./errors.ts";
import { type ApiRequest, limited, type Success } from "./request.ts";

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
      const { status, error, retryAfter } = Object(thrown) as Failure;
      const isRead = method === "GET";
      // A proxy can have lost the answer to a write.
      const isSafe =
        status === 503
          ? isRead || (retryAfter !== undefined && error !== "UNEXPECTED_ANSWER")
          : status === 429 || (isRead && error === "NETWORK_ERROR");
      const seconds = retryAfter ?? 0.25 * 2 ** tried * (0.75 + Math.random() / 2);
      waited += seconds;
      if (!isSafe || isStream(raw) || tried >= retries || waited > 60) throw thrown;
      // An abort ends the pause, and the next try reports it. A timeout of 0 would be none.
      await limited({ signal }, seconds * 1000 + 1, () => new Promise(() => {})).catch(() => {});
    }
  }
}

/** A stream can be sent once. */
export function isStream(raw: BodyInit | undefined): boolean {
  return "getReader" in Object(raw);
}
