import { guestRole } from "../../vocabulary/accounts/role-names.ts";
import type { TestCaller } from "./test-caller.ts";
import { TestServiceError } from "./test-service-error.ts";

/** The sender of a request: a role or a caller, for which a token is made, or a token; null for a guest. */
export type SentAs = string | TestCaller | { readonly token: string } | null;

export interface TestRequest {
  /** Default `GET`, and `POST` with a body. */
  readonly method?: string;
  /** Sent as JSON; text, bytes and forms unchanged. */
  readonly body?: unknown;
  /** Default a guest. */
  readonly as?: SentAs;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The body of a response; empty if it is not JSON. */
export interface TestBody<Data> {
  readonly data: Data;
  readonly statusCode: number;
  readonly status: string;
  readonly message: string;
  /** The code of an error, such as `NOT_FOUND`. */
  readonly error?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly pagination?: Readonly<Record<string, unknown>>;
  /** Errors of GraphQL. */
  readonly errors?: readonly { readonly message: string; readonly [key: string]: unknown }[];
}

export interface TestReply<Data> {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the response; `{}` if the body is not JSON. */
  readonly body: TestBody<Data>;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Sends requests to a service. Redirects are not followed. */
export type SendRequest = <Data = unknown>(path: string, request?: TestRequest) => Promise<TestReply<Data>>;

/** Returns a function that sends requests to an origin, with the tokens of callers. */
export function requestsTo(origin: string, tokenOf: (caller: TestCaller) => string): SendRequest {
  return async (path, { method, body, as = null, headers = {} } = {}) => {
    const sent = new Headers(headers);
    const token = tokenIn(as, tokenOf);
    if (token !== null && !sent.has("authorization")) sent.set("authorization", `Bearer ${token}`);
    const isJson = body !== undefined && !isRaw(body);
    if (isJson && !sent.has("content-type")) sent.set("content-type", "application/json");
    const response = await fetch(addressOf(origin, path), {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: sent,
      redirect: "manual",
      ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    return { status: response.status, headers: response.headers, body: bodyOf(response, text), text, bytes };
  };
}

function tokenIn(as: SentAs, tokenOf: (caller: TestCaller) => string): string | null {
  if (as === null || as === guestRole) return null;
  if (typeof as === "string") return tokenOf({ role: as });
  return "token" in as ? as.token : tokenOf(as);
}

/** Takes a path, or a link to the service as it appears in a mail. */
function addressOf(origin: string, path: string): string {
  if (path.startsWith(`${origin}/`)) return path;
  if (path.startsWith("/")) return origin + path;
  throw new TestServiceError(`the path of a request must begin with a slash, not ${JSON.stringify(path)}`);
}

type RawBody = string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams | Blob;

function isRaw(body: unknown): body is RawBody {
  if (typeof body === "string") return true;
  return [Uint8Array, FormData, URLSearchParams, Blob].some((kind) => body instanceof kind);
}

/** The response to HEAD has none. */
function bodyOf<Data>({ headers }: Response, text: string): TestBody<Data> {
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(headers.get("content-type") ?? "");
  return JSON.parse(isJson && text !== "" ? text : "{}");
}
