import { ApiError, type ErrorCode, type ErrorFacts, type Failure, isApiError } from "./errors.ts";
import type { Call, CallOptions, ClientOptions, Result, Upload } from "./types.ts";

/** A request before its address and its credential are known. */
export interface ApiRequest {
  method: string;
  path: string;
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  raw?: BodyInit | undefined;
  options: CallOptions | undefined;
  /** The route takes no session, so nothing is refreshed for it. */
  isOpen?: boolean;
  /** A success is the `Response` itself. */
  wantsResponse?: boolean;
  upload?: Upload;
}

/** The parts of a successful answer. */
export interface Success {
  data: unknown;
  pagination?: unknown;
}

export type Outcome = Result<Success, ErrorCode>;

export type Send = (request: ApiRequest) => Promise<Outcome>;

/** An answer of `fetch` or `XMLHttpRequest`. */
export interface Received {
  status: number;
  text: string;
  header(name: string): string | null;
}

/** What `fetch` takes. `duplex` is required for streams. */
interface Outgoing extends RequestInit {
  method: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  duplex?: "half";
}

export function failed(code: string, message: string, facts?: ErrorFacts): { ok: false; error: Failure } {
  return { ok: false, error: new ApiError(code, message, facts) as Failure };
}

export function dataOf({ data }: Success): unknown {
  return data;
}

/** The address of a request. Lists are JSON, so that their texts can have commas. */
export function addressOf(client: ClientOptions, path: string, query: object = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => {
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
    });
  return client.url.replace(/\/+$/, "") + path + (pairs.length > 0 ? `?${pairs.join("&")}` : "");
}

/** Sends a request once. Rejects where no answer was received. */
export async function exchange(
  client: ClientOptions,
  request: ApiRequest,
  bearer: string | null | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  const { method, body, raw, options } = request;
  // The error of `fetch` for such a header would have the token in its message.
  if (/[^ -~]/.test((bearer ?? "") + (client.apiKey ?? "")))
    throw new TypeError("The token or API key has characters that a header cannot have.");
  const headers: Record<string, string> = {};
  const own = {
    "content-type": body === undefined ? null : "application/json",
    authorization: bearer ? `Bearer ${bearer}` : null,
    "x-api-key": client.apiKey,
  };
  for (const [name, value] of Object.entries({ ...own, ...client.headers, ...options?.headers }))
    if (value) headers[name.toLowerCase()] = value;
  const init: Outgoing = { method, headers, signal, redirect: "error", duplex: "half" };
  if (client.credentials) init.credentials = client.credentials;
  const content = raw ?? JSON.stringify(body);
  if (content !== undefined) init.body = content;
  const url = addressOf(client, request.path, request.query);
  if (signal.aborted) throw new TypeError("The call has ended.");
  const report = request.upload?.onProgress;
  if (report && typeof XMLHttpRequest !== "undefined")
    return outcomeOf(request, await overXhr(url, init, report));
  const response = await (client.fetch ?? fetch)(url, init);
  if (request.wantsResponse && response.ok) return { ok: true, data: { data: response } };
  const text = await response.text();
  return outcomeOf(request, { status: response.status, text, header: (name) => response.headers.get(name) });
}

/** `fetch` does not report the progress of an upload. */
function overXhr(
  url: string,
  { method, headers, signal, credentials, body }: Outgoing,
  report: NonNullable<Upload["onProgress"]>,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    xhr.withCredentials = credentials === "include";
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => report({ loaded, total });
    xhr.onload = () =>
      resolve({ status: xhr.status, text: xhr.responseText, header: (name) => xhr.getResponseHeader(name) });
    xhr.onerror = () => reject(new TypeError("The upload got no answer."));
    signal.addEventListener("abort", () => xhr.abort());
    xhr.send(body as XMLHttpRequestBodyInit);
  });
}

/** The parts of an envelope that a client reads. */
interface Envelope extends Success {
  statusCode: number;
  status: string;
  error?: string;
  message: string;
  details?: unknown;
}

function outcomeOf({ method, path }: ApiRequest, { status, text, header }: Received): Outcome {
  let envelope: Partial<Envelope> | null = null;
  try {
    envelope = JSON.parse(text);
  } catch {
    // Not the service: a proxy, or another server.
  }
  const isEnvelope = envelope?.statusCode === status;
  if (isEnvelope && envelope?.status === "success") return { ok: true, data: envelope as Envelope };
  const seconds = Number(header("retry-after") ?? Number.NaN);
  const facts = {
    status,
    requestId: header("x-request-id"),
    retryAfter: seconds >= 0 ? seconds : undefined,
  };
  if (isEnvelope && envelope?.error)
    return failed(envelope.error, envelope.message ?? "", { ...facts, details: envelope.details });
  return failed("UNEXPECTED_ANSWER", `${method} ${path} has not answered as the service does.`, facts);
}

/** Runs one try of a request. Rejections become failures; an abort and the timeout end it at once. */
export async function limited(
  request: ApiRequest,
  timeout: number,
  run: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const { method, path, options } = request;
  const signal = options?.signal;
  const controller = new AbortController();
  let settle = () => {};
  const ended = new Promise<Outcome>((resolve) => {
    const end = (outcome: Outcome) => {
      resolve(outcome);
      controller.abort();
    };
    // Uploads reject with the error itself.
    const abort = () =>
      end(
        failed("ABORTED", `${method} ${path} was aborted.`, {
          cause: request.upload ? undefined : signal?.reason,
        }),
      );
    const timer =
      timeout > 0
        ? setTimeout(() => end(failed("TIMEOUT", `${method} ${path} took over ${timeout} ms.`)), timeout)
        : undefined;
    settle = () => {
      clearTimeout(timer);
      // The caller still reads the body of a `Response`.
      if (!request.wantsResponse) signal?.removeEventListener("abort", abort);
    };
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
  const running = async () => {
    try {
      return controller.signal.aborted ? await ended : await run(controller.signal);
    } catch (cause) {
      return isApiError(cause)
        ? { ok: false as const, error: cause }
        : failed("NETWORK_ERROR", `${method} ${path} got no answer.`, { cause });
    }
  };
  const outcome = await Promise.race([ended, running()]);
  settle();
  return outcome;
}

/** A call with the data that `read` takes from a success. */
export function callOf<Data>(
  outcome: Promise<Outcome>,
  read: (success: Success) => Data | Promise<Data>,
): Call<Data, ErrorCode> {
  const settle = async (): Promise<Result<Data, ErrorCode>> => {
    try {
      const found = await outcome;
      return found.ok ? { ok: true, data: await read(found.data) } : found;
    } catch (cause) {
      return failed("UNEXPECTED_ANSWER", "The answer cannot be used.", { cause });
    }
  };
  const result = settle();
  const data = result.then((found) => {
    if (found.ok) return found.data;
    const { error } = found;
    throw error.error === "ABORTED" ? (error.cause ?? error) : error;
  });
  return Object.assign(data, {
    result: () => {
      // The caller takes the failure from here.
      data.catch(() => {});
      return result;
    },
  });
}
