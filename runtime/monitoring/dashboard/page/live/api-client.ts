import type { Reads, StoreHealth } from "../../../records/reads.ts";

/** What each endpoint answers, by its path below `/monitoring`. */
interface Answers {
  readonly health: StoreHealth;
  readonly summary: Reads["summary"]["answers"];
  readonly requests: Reads["routes"]["answers"];
  readonly "requests/timeseries": Reads["timeseries"]["answers"];
  readonly "requests/latency-histogram": Reads["histogram"]["answers"];
  readonly "requests/recent": Reads["recent"]["answers"];
  readonly "ai/summary": Reads["ai_summary"]["answers"];
  readonly "ai/cost-timeseries": Reads["ai_costs"]["answers"];
  readonly "ai/agents": Reads["ai_agents"]["answers"];
  readonly "ai/models": Reads["ai_models"]["answers"];
  readonly "ai/tools": Reads["ai_tools"]["answers"];
  readonly "ai/runs": Reads["ai_runs"]["answers"];
  readonly "mcp/summary": Reads["mcp_summary"]["answers"];
  readonly "mcp/calls": Reads["mcp_calls"]["answers"];
}

/** Endpoints of one thing, whose id stands last in the path. */
interface AnswersById {
  readonly trace: NonNullable<Reads["trace"]["answers"]>;
  readonly "ai/runs": NonNullable<Reads["ai_run"]["answers"]>;
}

/** Values of a query; what is empty is not sent. */
export type Query = Readonly<Record<string, string | number>>;

/** Why there is no answer. */
export type FailureKind = "wrong key" | "no key configured" | "store unreachable" | "not found" | "no answer";

/** There is no answer. The message is for people. */
export class ApiFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

const longestMs = 20_000;

/**
 * Asks the monitoring endpoints, with the ingestion key: it is held here and nowhere else, and goes when the tab does. Paths are
 * relative to the page, so that they follow whatever a proxy puts before it.
 */
export class ApiClient {
  readonly #authorization: string;

  constructor(key: string) {
    // A header is bytes, and `fetch` takes one character for each.
    this.#authorization = `Bearer ${String.fromCharCode(...new TextEncoder().encode(key))}`;
  }

  /** Errors: `ApiFailure`; an `AbortError` once `signal` says that nobody waits any more. */
  get<Path extends keyof Answers>(path: Path, query: Query, signal: AbortSignal): Promise<Answers[Path]> {
    const sent = Object.entries(query).filter(([, value]) => value !== "");
    const parameters = new URLSearchParams(sent.map(([name, value]) => [name, String(value)]));
    return this.#ask<Answers[Path]>(sent.length === 0 ? path : `${path}?${parameters}`, signal);
  }

  /** One thing by its id. Errors: as `get`; `not found`. */
  getOne<Path extends keyof AnswersById>(
    path: Path,
    id: string,
    signal: AbortSignal,
  ): Promise<AnswersById[Path]> {
    return this.#ask<AnswersById[Path]>(`${path}/${encodeURIComponent(id.toWellFormed())}`, signal);
  }

  async #ask<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
    const response = await this.#fetch(path, signal);
    const body = await bodyOf(response, signal);
    if (response.ok && body !== null) return body.data as Answer;
    throw failureOf(response.status, body, path);
  }

  async #fetch(path: string, signal: AbortSignal): Promise<Response> {
    try {
      return await fetch(path, {
        headers: { Authorization: this.#authorization },
        cache: "no-store",
        redirect: "error",
        referrerPolicy: "no-referrer",
        signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
      });
    } catch (error) {
      throw signal.aborted ? error : new ApiFailure("no answer", "The service does not answer.");
    }
  }
}

/** The envelope of an answer. */
interface Envelope {
  readonly data: unknown;
  readonly message: string;
}

/** Null where it is none: something before the service has answered. */
async function bodyOf(response: Response, signal: AbortSignal): Promise<Envelope | null> {
  try {
    const body: unknown = await response.json();
    if (typeof body !== "object" || body === null) return null;
    const { data = null, message = "" } = body as Partial<Record<string, unknown>>;
    return { data, message: String(message) };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

function failureOf(status: number, body: Envelope | null, path: string): ApiFailure {
  if (status === 401) return new ApiFailure("wrong key", "This is not the ingestion key of this service.");
  if (body === null || (status !== 503 && status !== 404))
    return new ApiFailure("no answer", body?.message || `The service cannot answer now (status ${status}).`);
  if (status === 404) return new ApiFailure("not found", body.message);
  // Health answers while the store is away; what it needs is a key.
  return path === "health"
    ? new ApiFailure(
        "no key configured",
        "This service has no ingestion key: set SERVICE_MONITORING_INGESTION_KEY, and start it again.",
      )
    : new ApiFailure("store unreachable", body.message);
}
