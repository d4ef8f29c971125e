import type { RouteMethod } from "../../../vocabulary/custom-routes.ts";
import type { CodeSchema, ObjectSchema, SchemaType } from "../../hooks/context/index.ts";
import type { ContentContext, Redirect, RouteContext } from "./route-context.ts";
import type { Content } from "./send-content-answer.ts";

/** How often a route may be called: by each address, or by each user. */
export type RouteLimit =
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
export interface ContentAnswer {
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

/** A route of one's own as its file declares it (decisions, part 13). */
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
export interface OwnRoute {
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
  const Answer extends CodeSchema | ContentAnswer,
  const Params extends ObjectSchema = never,
  const Query extends ObjectSchema = never,
  const Body extends ObjectSchema = never,
  const Raw extends boolean = false,
>(route: RouteLiteral<Path, Params, Query, Body, Raw, Answer>): OwnRoute {
  return route;
}
