import { ApiError, type ClientCode, type ErrorCode, type Failure, isApiError } from "./errors.ts";
import type { Call, CallOptions, ClientOptions, Result, Upload } from "./types.ts";

/** A request before its address and its credential are known. */
export interface ApiRequest extends CallOptions {
  method: string;
  path: string;
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  raw?: BodyInit | undefined;
  /** The route takes no session, so nothing is refreshed for it. */
  open?: boolean;
  /** A success is the `Response` itself. */
  response?: boolean;
  /** Of an upload: the listener of its progress, or null. */
  upload?: Upload["onProgress"] | null;
}

/** The parts of a successful answer. */
export interface Success {
  data: unknown;
  pagination?: unknown;
}

/** Rejects with an `ApiError`. */
export type Send = (request: ApiRequest) => Promise<Success>;

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
  body: BodyInit | null;
  duplex: "half";
}

export function dataOf({ data }: Success): unknown {
  return data;
}

/** The address of a request. Lists are JSON, so that their texts can have commas. */
export function addressOf(client: ClientOptions, path: string, query: object = {}): string {
  let text = client.url.replace(/\/+$/, "") + path;
  let mark = "?";
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    text += `${mark}${encodeURIComponent(name)}=`;
    text += encodeURIComponent(typeof value === "object" ? JSON.stringify(value) : value);
    mark = "&";
  }
  return text;
}

/** Sends a request once. Rejects with another error than `ApiError` where no answer was received. */
export async function exchange(
  client: ClientOptions,
  request: ApiRequest,
  bearer: string | null | undefined,
  signal: AbortSignal,
): Promise<Success> {
  const { method, body, raw } = request;
  // The error of `fetch` for such a header would have the token in its message.
  if (/[^ -~]/.test(`${bearer}${client.apiKey}`)) throw new TypeError("The token is not a header.");
  const headers: Record<string, string> = {};
  const all = {
    "content-type": body === undefined ? null : "application/json",
    authorization: bearer && `Bearer ${bearer}`,
    "x-api-key": client.apiKey,
    ...client.headers,
    ...request.headers,
  };
  for (const [name, value] of Object.entries(all)) if (value) headers[name.toLowerCase()] = value;
  const init: Outgoing = {
    method,
    headers,
    signal,
    body: raw ?? JSON.stringify(body) ?? null,
    credentials: client.credentials ?? "same-origin",
    redirect: "error",
    duplex: "half",
  };
  const url = addressOf(client, request.path, request.query);
  if (signal.aborted) throw new TypeError("ended");
  const report = request.upload;
  if (report && typeof XMLHttpRequest !== "undefined")
    return successOf(request, await overXhr(url, init, report));
  const answer = await (client.fetch ?? fetch)(url, init);
  if (request.response && answer.ok) return { data: answer };
  const text = await answer.text();
  return successOf(request, { status: answer.status, text, header: (name) => answer.headers.get(name) });
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
    xhr.upload.onprogress = report;
    xhr.onload = () =>
      resolve({ status: xhr.status, text: xhr.responseText, header: (name) => xhr.getResponseHeader(name) });
    xhr.onerror = () => reject(new TypeError("no answer"));
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

function successOf({ method, path }: ApiRequest, { status, text, header }: Received): Success {
  let envelope: Partial<Envelope> = {};
  try {
    envelope = Object(JSON.parse(text));
  } catch {
    // Not the service: a proxy, or another server.
  }
  if (envelope.statusCode !== status) envelope = {};
  if (envelope.status === "success") return envelope as Envelope;
  const { error = "UNEXPECTED_ANSWER", message = `${method} ${path}: not an answer of the service` } =
    envelope;
  const seconds = Number.parseFloat(header("retry-after") ?? "");
  throw new ApiError(error, message, {
    status,
    requestId: header("x-request-id"),
    retryAfter: seconds >= 0 ? seconds : undefined,
    details: envelope.details,
  });
}

/** Runs one try of a request. An abort and the timeout end it at once. */
export function limited(
  { method, path, signal, upload, response }: ApiRequest,
  timeout: number,
  run: (signal: AbortSignal) => Promise<Success>,
): Promise<Success> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const fail = (code: ClientCode, text: string, cause?: unknown) => {
      reject(new ApiError(code, `${method} ${path}: ${text}`, { cause }));
      controller.abort();
    };
    // Uploads reject with the error itself, which then has no cause.
    const abort = () => fail("ABORTED", "aborted", upload === undefined ? signal?.reason : undefined);
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    const timer =
      timeout > 0 ? setTimeout(() => fail("TIMEOUT", `no answer in ${timeout} ms`), timeout) : undefined;
    run(controller.signal)
      .then(resolve, (thrown) =>
        isApiError(thrown) ? reject(thrown) : fail("NETWORK_ERROR", "no answer", thrown),
      )
      .finally(() => {
        clearTimeout(timer);
        // The caller still reads the body of a `Response`.
        if (!response) signal?.removeEventListener("abort", abort);
      });
  });
}

/** A call with the data that `read` takes from a success. */
export function callOf<Data>(
  sending: Promise<Success>,
  read: (success: Success) => Data | Promise<Data>,
): Call<Data, ErrorCode> {
  const result = sending.then(read).then(
    (data): Result<Data, ErrorCode> => ({ ok: true, data }),
    (thrown): Result<Data, ErrorCode> => ({
      ok: false,
      error: isApiError(thrown)
        ? thrown
        : (new ApiError("UNEXPECTED_ANSWER", "not an answer of the service", { cause: thrown }) as Failure),
    }),
  );
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
