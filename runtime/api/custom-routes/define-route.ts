import type { Readable } from "node:stream";
import type { Response } from "express";
import type { RouteMethod } from "../../../vocabulary/custom-routes.ts";
import type { StandardSchema } from "../../../vocabulary/standard-schema.ts";
import { dispositionOf, sendBody, sendContent } from "../../core/http/index.ts";
import type {
  AppSchema,
  CodeContext,
  PayloadSchema,
  SchemaInput,
  SchemaType,
} from "../../hooks/context/index.ts";

/** By address (the default) or by user. */
type RouteLimit =
  | { readonly max_requests: number; readonly window_seconds: number; readonly per?: "ip" | "user" }
  | { readonly enabled: false };

/** The input of a handler. Its objects have no prototype. */
export interface RouteInput<Params = object, Query = object, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** As sent, by lower-case names; for example the signature of a webhook. */
  readonly headers: Readonly<Partial<Record<string, string>>>;
}

type NamesIn<Path> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<`/${More}`>
    : Rest
  : never;

/** Names in a path always have a value. */
type ParamsOf<Path, Params> = [Params] extends [never]
  ? { readonly [Name in NamesIn<Path>]: string }
  : Required<ObjectOf<Params>>;

type QueryOf<Query> = [Query] extends [never] ? { readonly [Name in never]: never } : ObjectOf<Query>;

type ObjectOf<Schema> = SchemaType<Schema> extends infer Known extends object ? Known : never;

type BodyOf<Body, Raw> = Raw extends true
  ? Uint8Array
  : [Body] extends [never]
    ? undefined
    : SchemaType<Body>;

interface ContentAnswer {
  /** Such as `text/csv`. Text is UTF-8 unless another charset is given. */
  readonly content_type: string;
}

/** The result of a handler, which can return nothing if null is allowed. */
type Answered<Answer> =
  | Redirect
  | (Answer extends ContentAnswer
      ? Content
      :
          | SchemaInput<Answer>
          // biome-ignore lint/suspicious/noConfusingVoidType: what a function without a return gives back
          | (NothingOf<Answer> extends SchemaInput<Answer> ? void : never));

/** What a handler without a result answers. */
type NothingOf<Answer> = Answer extends StandardSchema ? undefined : null;

type ContextOf<Answer> = Answer extends ContentAnswer ? ContentContext : RouteContext;

interface McpToolOfRoute {
  /** `[a-z][a-z0-9_]*`, at most 64 characters. */
  readonly name: string;
  readonly description?: string;
}

/** A custom route as its file declares it. */
interface RouteLiteral<Path, Params, Query, Body, Raw, Answer> {
  readonly method: RouteMethod;
  /** The path below `service_prefix`. Parameters are `:name`, as in Express. */
  readonly path: Path;
  /** In the OpenAPI document and its clients. Default: made of the method and the path. */
  readonly name?: string;
  /** For the OpenAPI document. */
  readonly description?: string;
  /** Offers the route to assistants as a tool, if the module `mcp` is on. Default of `description`: that of the route. */
  readonly mcp?: McpToolOfRoute;
  /** Roles; `*` is everyone, `signed_in` everyone except guests. */
  readonly access: readonly [string, ...string[]];
  /** Default: the limit of `rate_limit` in the manifest. */
  readonly rate_limit?: RouteLimit;
  /** A JSON Schema, or a schema of a library such as zod. Default: strings. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Raw extends true ? never : Body;
  /** The handler gets the bytes of the body, for signatures. */
  readonly raw?: Raw;
  /** The schema of the response, or its content type. The schema removes other properties of the result. */
  readonly answer: Answer;
  readonly handler: (
    input: RouteInput<ParamsOf<Path, Params>, QueryOf<Query>, BodyOf<Body, Raw>>,
    context: ContextOf<Answer>,
  ) => Answered<Answer> | Promise<Answered<Answer>>;
}

type AnyRouteLiteral = RouteLiteral<string, object, object, object, boolean, object | boolean>;

/** A custom route of any type. */
export interface CustomRoute extends Omit<AnyRouteLiteral, "access" | "handler"> {
  readonly access: readonly string[];
  handler(input: RouteInput, context: RouteContext): unknown;
}

/** Declares a route: the default export of a file in `models/routes/`, or an element of it. */
export function defineRoute<
  const Path extends `/${string}`,
  const Answer extends AppSchema | StandardSchema | ContentAnswer,
  const Params extends PayloadSchema = never,
  const Query extends PayloadSchema = never,
  const Body extends PayloadSchema = never,
  const Raw extends boolean = false,
>(route: RouteLiteral<Path, Params, Query, Body, Raw, Answer>): CustomRoute {
  return route;
}

/** The context of a route. */
export interface RouteContext extends CodeContext {
  /**
   * A result that redirects to an http(s) URL or a path of this host. Default status 302. Throws for other
   * addresses.
   */
  redirect(url: string, status?: 302 | 303): Redirect;
}

/** The context of a route whose response is not JSON. */
interface ContentContext extends RouteContext {
  /** Makes browsers save the response as a file. */
  download(name: string): void;
  /** From 200 to 299. Default 200. */
  status(code: number): void;
}

/** A redirect that a handler returns. */
export class Redirect {
  readonly #location: string;
  readonly #status: 302 | 303;

  constructor(url: string, status: 302 | 303 = 302) {
    if (status !== 302 && status !== 303) throw new Error("redirect(url, status): status must be 302 or 303");
    this.#location = locationOf(url);
    this.#status = status;
  }

  get location(): string {
    return this.#location;
  }

  get status(): 302 | 303 {
    return this.#status;
  }
}

/** A reserved name, which detects `//host`: it leads to another host, usually a mistake or an attack. */
const here = "relative://here.invalid";

function locationOf(url: string): string {
  const refused = () =>
    new Error("redirect(url): url must be an http(s) URL, or a path of this host such as /thanks");
  if (typeof url !== "string" || /[\p{Cc}\\]/u.test(url) || !url.isWellFormed()) throw refused();
  if (!URL.canParse(url, here)) throw refused();
  const { protocol, host, href } = new URL(url, here);
  if (/^https?:\/\//i.test(url)) return href;
  if (`${protocol}//${host}` !== here) throw refused();
  return url.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

/** Status and headers that a handler sets. */
export class ResponseHead {
  status = 200;
  /** `Content-Disposition`; null if browsers may display the response. */
  disposition: string | null = null;

  readonly words: Pick<ContentContext, "download" | "status"> = {
    download: (name) => {
      if (typeof name !== "string" || name === "")
        throw new Error("download(name): name must be a string that is not empty");
      this.disposition = dispositionOf("attachment", name);
    },
    status: (code) => {
      if (!Number.isInteger(code) || code < 200 || code > 299)
        throw new Error("status(code): code must be a whole number from 200 to 299");
      this.status = code;
    },
  };
}

/** The result of a handler whose response is not JSON. */
type Content = string | Uint8Array | Readable;

/** Also a stream of the package `readable-stream`, which libraries use. */
export function isStream(value: unknown): value is Readable {
  if (typeof value !== "object" || value === null) return false;
  return ["read", "on", "pipe", "destroy"].every((name) => typeof Reflect.get(value, name) === "function");
}

export function isWhole(value: unknown): value is string | Uint8Array {
  return typeof value === "string" || value instanceof Uint8Array;
}

/** Sends content. A stream is sent as fast as the client reads it. Rejects if a stream fails. */
export async function sendContentResponse(
  response: Response,
  content: Content,
  contentType: string,
  head: ResponseHead,
): Promise<void> {
  const { status } = head;
  const { context, method } = response.req;
  const isEmpty = status === 204 || status === 205;
  if (isEmpty || (method === "HEAD" && !isWhole(content))) {
    if (!isWhole(content)) content.on("error", () => {}).destroy();
    if (!isEmpty) response.setHeaders(new Map(headersOf(contentType, head)));
    response.statusCode = status;
    response.end();
  } else if (isWhole(content)) {
    response.setHeaders(new Map(headersOf(contentType, head)));
    sendBody(response, status, contentType, content);
  } else
    await sendContent(
      response,
      content,
      status,
      Object.fromEntries(headersOf(contentType, head)),
      (bytes) => {
        context.sentBytes = (context.sentBytes ?? 0) + bytes;
      },
    );
}

function headersOf(contentType: string, { disposition }: ResponseHead): [name: string, value: string][] {
  return [
    ["Content-Type", contentType],
    ["Content-Security-Policy", policyOf(contentType)],
    ...(disposition === null ? [] : [["Content-Disposition", disposition] satisfies [string, string]]),
  ];
}

/** A browser that opens the response runs no script of it. Chrome does not display PDF in a sandbox. */
function policyOf(contentType: string): string {
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return /^application\/pdf\b/i.test(contentType) ? policy : `sandbox; ${policy}`;
}
