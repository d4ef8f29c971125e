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

/** Rejects with an `ApiError`, or with an error of the app's own functions. */
export type Send = (request: ApiRequest) => Promise<Success>;

/** The parts of a `Response` that a client reads. */
interface Received {
  ok?: boolean;
  status: number;
  headers: Pick<Headers, "get">;
  text(): Promise<string>;
}

/** What `fetch` takes. `duplex` is required for streams. */
interface Outgoing {
  method: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  body: BodyInit | undefined;
  credentials: RequestCredentials | undefined;
  redirect: "error";
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

/** Sends a request once. */
export async function exchange(
  client: ClientOptions,
  request: ApiRequest,
  bearer: string | null | undefined,
  signal: AbortSignal,
): Promise<Success> {
  const { method, path, body, raw, upload } = request;
  const { apiKey } = client;
  // The error of `fetch` for such a header would have the token in its message.
  if (/[^ -~]/.test(`${bearer}${apiKey}`)) throw new TypeError("The token is not a header.");
  const headers: Record<string, string> = {};
  const all = {
    "content-type": body !== undefined && "application/json",
    authorization: bearer && `Bearer ${bearer}`,
    "x-api-key": apiKey,
    ...client.headers,
    ...request.headers,
  };
  for (const [name, value] of Object.entries(all)) if (value) headers[name.toLowerCase()] = value;
  const init: Outgoing = {
    method,
    headers,
    signal,
    body: raw ?? JSON.stringify(body),
    credentials: client.credentials,
    redirect: "error",
    duplex: "half",
  };
  const url = addressOf(client, path, request.query);
  let answer: Received;
  let text: string;
  try {
    if (signal.aborted) throw signal;
    // Redirects of `XMLHttpRequest` cannot be forbidden, and browsers remove only `authorization` from them.
    const isXhr = upload && !apiKey && globalThis.XMLHttpRequest;
    answer = await (isXhr ? overXhr(url, init, upload) : (client.fetch ?? fetch)(url, init as RequestInit));
    if (request.response && answer.ok) return { data: answer };
    text = await answer.text();
  } catch (cause) {
    throw new ApiError("NETWORK_ERROR", `${method} ${path}: no answer`, { cause });
  }
  return successOf(request, answer, text);
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
      resolve({
        status: xhr.status,
        headers: { get: (name) => xhr.getResponseHeader(name) },
        text: async () => xhr.responseText,
      });
    xhr.onerror = reject;
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

function successOf({ method, path }: ApiRequest, { status, headers }: Received, text: string): Success {
  let envelope: Partial<Envelope> = {};
  try {
    envelope = Object(JSON.parse(text));
  } catch {
    // Not the service: a proxy, or another server.
  }
  if (envelope.statusCode !== status) envelope = {};
  if (envelope.status === "success") return envelope as Envelope;
  const { error = "UNEXPECTED_ANSWER", message = `${method} ${path}: unexpected answer`, details } = envelope;
  const seconds = Number(headers.get("retry-after") || Number.NaN);
  const retryAfter = seconds >= 0 ? seconds : undefined;
  throw new ApiError(error, message, {
    status,
    requestId: headers.get("x-request-id"),
    retryAfter,
    details,
  });
}

/** A request, or a pause, which only an abort ends. */
type Stoppable = { [Part in keyof ApiRequest]?: ApiRequest[Part] | undefined };

/** Runs one try of a request. An abort and the timeout end it at once. */
export function limited(
  { method, path, signal, upload, response }: Stoppable,
  timeout: number,
  run: (signal: AbortSignal) => Promise<Success>,
): Promise<Success> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = () => {};
  return new Promise<Success>((resolve, reject) => {
    const fail = (code: ClientCode, text: string, cause?: unknown) => {
      reject(new ApiError(code, `${method} ${path}: ${text}`, { cause }));
      controller.abort();
    };
    // Uploads reject with the error itself, which then has no cause.
    abort = () => fail("ABORTED", "aborted", upload === undefined ? signal?.reason : undefined);
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    if (timeout > 0) timer = setTimeout(() => fail("TIMEOUT", `no answer in ${timeout} ms`), timeout);
    run(controller.signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    // The caller still reads the body of a `Response`.
    if (!response) signal?.removeEventListener("abort", abort);
  });
}

/** A call with the data that `read` takes from a success. */
export function callOf<Data>(
  sending: Promise<Success>,
  read: (success: Success) => Data,
): Call<Data, ErrorCode> {
  const failure = (error: ClientCode) => (thrown: unknown) => {
    throw isApiError(thrown) ? thrown : new ApiError(error, `${thrown}`, { cause: thrown });
  };
  const outcome = sending
    // The app's own functions, such as a store, end a call as an abort does: the thrown error is theirs.
    .catch(failure("ABORTED"))
    .then(read)
    .catch(failure("UNEXPECTED_ANSWER"));
  const data = outcome.catch((error: ApiError) => {
    throw error.error === "ABORTED" ? (error.cause ?? error) : error;
  });
  return Object.assign(data, {
    result: () => {
      // The caller takes the failure from here.
      data.catch(() => {});
      return outcome.then(
        (data): Result<Data, ErrorCode> => ({ ok: true, data }),
        (error: Failure): Result<Data, ErrorCode> => ({ ok: false, error }),
      );
    },
  });
}
