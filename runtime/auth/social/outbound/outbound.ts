import { AsyncLocalStorage } from "node:async_hooks";
import { isProviderAddress } from "../../../../vocabulary/social/provider-settings.ts";
import { asStep, noTrace, type StepName, type Trace } from "../../../tracing/index.ts";
import { SocialFailure, statusFailure } from "../social-failure.ts";

/** A call to a provider. */
export interface OutboundCall {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Empty for a POST without one. */
  readonly body?: string;
}

/** What came back, whatever its status. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface OutboundOptions {
  /** How the service calls itself: some providers refuse who says nothing. */
  readonly userAgent: string;
  /** In production nobody on this machine is called without encryption either. */
  readonly production: boolean;
  /** Where a host is found; for tests, which play the providers themselves. */
  readonly resolve?: ((url: URL) => URL) | undefined;
}

/** How long a provider may take for a call, in milliseconds (decisions, part 9). */
const longestWait = 5_000;
/** How much of an answer is read, in bytes. */
const longestAnswer = 1_048_576;

/**
 * Calls providers, which are strangers: encrypted, or outside production on this machine; no redirect is followed, nobody is waited for longer
 * than 5 s, and of an answer at most 1 MiB is taken. Errors: `SocialFailure`.
 */
export class Outbound {
  readonly #options: OutboundOptions;
  /** A call is made far below the route that knows the trace. */
  readonly #steps = new AsyncLocalStorage<{ readonly trace: Trace; readonly name: StepName }>();

  constructor(options: OutboundOptions) {
    this.#options = options;
  }

  /** Runs work whose calls are steps of a trace. */
  asSteps<Result>(trace: Trace, name: StepName, work: () => Promise<Result>): Promise<Result> {
    return trace === noTrace ? work() : this.#steps.run({ trace, name }, work);
  }

  send(call: OutboundCall): Promise<OutboundAnswer> {
    const steps = this.#steps.getStore();
    return steps === undefined ? this.#send(call) : asStep(steps.trace, steps.name, () => this.#send(call));
  }

  async #send({ method, url, headers, body }: OutboundCall): Promise<OutboundAnswer> {
    const { userAgent, production, resolve = (address) => address } = this.#options;
    if (!isProviderAddress(url.href) || (production && url.protocol !== "https:"))
      throw new SocialFailure(`${url.origin} is no address of a provider`);
    try {
      const response = await fetch(resolve(url), {
        method,
        headers: headersOf({ accept: "application/json", "user-agent": userAgent }, headers),
        redirect: "manual",
        signal: AbortSignal.timeout(longestWait),
        // An empty text would go as text/plain, which Dropbox refuses.
        ...(body !== undefined && body !== "" && { body }),
      });
      return { status: response.status, headers: response.headers, text: await textOf(response) };
    } catch (error) {
      if (error instanceof SocialFailure) throw error;
      throw new SocialFailure(`${url.host} did not answer: ${reasonOf(error)}`, "unavailable");
    }
  }

  /** The same, where only a 2xx is an answer. */
  async ask(call: OutboundCall): Promise<OutboundAnswer> {
    const answer = await this.send(call);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw statusFailure(call.url.host, answer.status);
  }
}

/** Those of the call take the place of the others: a header that stands twice would be sent with both values. */
function headersOf(
  standard: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> = {},
): Headers {
  const headers = new Headers(standard);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return headers;
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop ends the call.
    if (length > longestAnswer) throw new SocialFailure("an answer was larger than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What went wrong with the connection: its code, or the kind of the error. The address may hold what is secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
