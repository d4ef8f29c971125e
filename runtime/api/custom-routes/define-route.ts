import type { Readable } from "node:stream";
import type { Response } from "express";
import type { RouteMethod } from "../../../vocabulary/route-paths.ts";
import { dispositionOf, sendBody, sendContent } from "../../core/http/index.ts";
import type { AppSchema, CodeContext, ObjectSchema, SchemaType } from "../../hooks/context/index.ts";

/** How often a route may be called: by each address, or by each user. */
type RouteLimit =
  | { readonly max_requests: number; readonly window_seconds: number; readonly per?: "ip" | "user" }
  | { readonly enabled: false };

/** What a handler is given of a request. Its objects have no prototype. */
export interface RouteInput<Params = object, Query = object, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** As they were sent, by their names in small letters: a webhook's signature stands in one of them. */
  readonly headers: Readonly<Partial<Record<string, string>>>;
}

type NamesIn<Path> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<`/${More}`>
    : Rest
  : never;

/** What stands for a name in a path is always there. */
type ParamsOf<Path, Params> = [Params] extends [never]
  ? { readonly [Name in NamesIn<Path>]: string }
  : Required<SchemaType<Params>>;

/** Without a schema there are no parameters. */
type QueryOf<Query> = [Query] extends [never] ? { readonly [Name in never]: never } : SchemaType<Query>;

type BodyOf<Body, Raw> = Raw extends true
  ? Uint8Array
  : [Body] extends [never]
    ? undefined
    : SchemaType<Body>;

/** An answer that is not JSON. */
interface ContentAnswer {
  /** Such as `text/csv`. Text is UTF-8 unless this names another charset. */
  readonly content_type: string;
}

/** What a handler gives back; nothing, where null is an answer. */
type Answered<Answer> =
  | Redirect
  | (Answer extends ContentAnswer
      ? Content
      :
          | SchemaType<Answer>
          // biome-ignore lint/suspicious/noConfusingVoidType: what a function without a return gives back
          | (null extends SchemaType<Answer> ? void : never));

type ContextOf<Answer> = Answer extends ContentAnswer ? ContentContext : RouteContext;

/** A route of one's own as its file declares it. */
interface RouteLiteral<Path, Params, Query, Body, Raw, Answer> {
  readonly method: RouteMethod;
  /** As in Express, with `:name` alone; under `service_prefix`. */
  readonly path: Path;
  /** Roles; `*` is everybody, guests included, `signed_in` everybody else. */
  readonly access: readonly [string, ...string[]];
  /** Default: what the manifest says. */
  readonly rate_limit?: RouteLimit;
  /** What stands for the names in the path; default texts. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Raw extends true ? never : Body;
  /** The body's bytes as they were sent, for signatures. */
  readonly raw?: Raw;
  /** The schema of what is answered: all else of what the handler gives back is left out. Or the content type of what is not JSON. */
  readonly answer: Answer;
  readonly handler: (
    input: RouteInput<ParamsOf<Path, Params>, QueryOf<Query>, BodyOf<Body, Raw>>,
    context: ContextOf<Answer>,
  ) => Answered<Answer> | Promise<Answered<Answer>>;
}

/** A route of one's own, whatever its types. */
export interface CustomRoute {
  readonly method: RouteMethod;
  readonly path: string;
  readonly access: readonly string[];
  readonly rate_limit?: RouteLimit;
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly raw?: boolean;
  readonly answer: object | boolean;
  handler(input: RouteInput, context: RouteContext): unknown;
}

/** Declares a route: the default export of a file in `models/routes/`, or one of a list there. */
export function defineRoute<
  const Path extends `/${string}`,
  const Answer extends AppSchema | ContentAnswer,
  const Params extends ObjectSchema = never,
  const Query extends ObjectSchema = never,
  const Body extends ObjectSchema = never,
  const Raw extends boolean = false,
>(route: RouteLiteral<Path, Params, Query, Body, Raw, Answer>): CustomRoute {
  return route;
}

/** The context of a route. */
export interface RouteContext extends CodeContext {
  /**
   * What the handler returns to send the client elsewhere: to an http(s) address, or a path of this host. Default status 302. Throws for
   * any other address.
   */
  redirect(url: string, status?: 302 | 303): Redirect;
}

/** The context of a route whose answer is not JSON. */
interface ContentContext extends RouteContext {
  /** Has browsers save the answer as a file of this name. */
  download(name: string): void;
  /** The status of the answer, 200 to 299. Default 200. */
  status(code: number): void;
}

/** A redirect that a handler returns. */
export class Redirect {
  readonly #location: string;
  readonly #status: 302 | 303;

  constructor(url: string, status: 302 | 303 = 302) {
    if (status !== 302 && status !== 303) throw new Error("redirect(url, status): the status is 302 or 303");
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

/** The reserved name of no host: `//host` leads elsewhere, which is more often a mistake or an attack than meant. */
const here = "relative://here.invalid";

function locationOf(url: string): string {
  const refused = () =>
    new Error("redirect(url): the url is an http(s) address, or a path of this host such as /thanks");
  if (typeof url !== "string" || /[\p{Cc}\\]/u.test(url) || !url.isWellFormed()) throw refused();
  if (!URL.canParse(url, here)) throw refused();
  const { protocol, host, href } = new URL(url, here);
  if (/^https?:\/\//i.test(url)) return href;
  if (`${protocol}//${host}` !== here) throw refused();
  return url.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

/** What a handler says of its answer besides the content. */
export class AnswerHead {
  /** Of the answer. */
  status = 200;
  /** `Content-Disposition`; null where browsers may show the answer. */
  disposition: string | null = null;

  readonly words: Pick<ContentContext, "download" | "status"> = {
    download: (name) => {
      if (typeof name !== "string" || name === "") throw new Error("download(name): the name is a text");
      this.disposition = dispositionOf("attachment", name);
    },
    status: (code) => {
      if (!Number.isInteger(code) || code < 200 || code > 299)
        throw new Error("status(code): the code is a whole number from 200 to 299");
      this.status = code;
    },
  };
}

/** What a handler of a route whose answer is not JSON returns. */
type Content = string | Uint8Array | Readable;

/** A stream of Node.js, or of the package `readable-stream`, which libraries use. */
export function isStream(value: unknown): value is Readable {
  if (typeof value !== "object" || value === null) return false;
  return ["read", "on", "pipe", "destroy"].every((name) => typeof Reflect.get(value, name) === "function");
}

/** Whether a content can be sent as it is. */
export function isWhole(value: unknown): value is string | Uint8Array {
  return typeof value === "string" || value instanceof Uint8Array;
}

/** Answers with a content, a stream as fast as the client takes it. Rejects where a stream fails. */
export async function sendContentAnswer(
  response: Response,
  content: Content,
  contentType: string,
  head: AnswerHead,
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

function headersOf(contentType: string, { disposition }: AnswerHead): [name: string, value: string][] {
  return [
    ["Content-Type", contentType],
    ["Content-Security-Policy", policyOf(contentType)],
    ...(disposition === null ? [] : [["Content-Disposition", disposition] satisfies [string, string]]),
  ];
}

/** Whatever the answer holds, a browser that opens it runs nothing of it. Chrome shows no PDF in a sandbox. */
function policyOf(contentType: string): string {
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return /^application\/pdf\b/i.test(contentType) ? policy : `sandbox; ${policy}`;
}
