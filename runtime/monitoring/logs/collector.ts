import type { LogShipping as ShippingSettings } from "../../config/index.ts";
import type { LogRecord } from "../records/monitoring-records.ts";

/**
 * What a collector made of a batch: it took it; it will never take it; it would take a smaller one; or it did not take it now,
 * for a reason that may pass.
 */
export type Delivery = "taken" | "refused" | "too large" | { readonly failed: string };

/** What no repetition makes better. What a wrong secret or address brings is not among it: somebody may put that right. */
const refusals = new Set([400, 415, 422]);
/** How long a collector may take. */
const patienceMs = 10_000;
/** A connection whose answer is longer than this is not kept. */
const longestAnswer = 65_536;

/** Where captured log records are sent (decisions, part 11). */
export class Collector {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #patienceMs: number;

  constructor({ url, secret }: Pick<ShippingSettings, "url" | "secret">, longestWaitMs = patienceMs) {
    this.#url = url;
    this.#patienceMs = longestWaitMs;
    this.#headers = {
      "content-type": "application/json",
      ...(secret !== null && { authorization: `Bearer ${secret.export().toString("utf8")}` }),
    };
  }

  /** Posts one batch. Never rejects. No redirect is followed: it would carry the secret elsewhere. */
  async send(texts: readonly string[], end: AbortSignal): Promise<Delivery> {
    // Not by AbortSignal.any() and timeout(): what these make may be collected as garbage, and then nothing ends the wait.
    const given = new AbortController();
    const giveUp = () => given.abort(end.reason);
    const patience = setTimeout(() => given.abort(new TimeoutError()), this.#patienceMs);
    end.addEventListener("abort", giveUp);
    if (end.aborted) giveUp();
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        redirect: "manual",
        headers: this.#headers,
        body: `{"logs":[${texts.join(",")}]}`,
        signal: given.signal,
      });
      await readOrLeave(response);
      return deliveryOf(response.status);
    } catch (error) {
      return { failed: reasonOf(error) };
    } finally {
      clearTimeout(patience);
      end.removeEventListener("abort", giveUp);
    }
  }
}

class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** A record as it is sent. Its fields are JSON text already. */
export function shippedText({ at, level, message, requestId, fields }: LogRecord): string {
  const head = JSON.stringify({ at: new Date(at).toISOString(), level, message, request_id: requestId });
  return `${head.slice(0, -1)},"fields":${fields}}`;
}

function deliveryOf(status: number): Delivery {
  if (status >= 200 && status < 300) return "taken";
  if (status === 413) return "too large";
  return refusals.has(status) ? "refused" : { failed: `it answered ${status}` };
}

/** What is read to its end leaves the connection for the next batch. */
async function readOrLeave(response: Response): Promise<void> {
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  if (length <= longestAnswer) await response.arrayBuffer();
  else await response.body?.cancel();
}

/** The code alone: messages of fetch may repeat the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : error.name;
}
