import type { accountRoutes, SocialPath, signInPath } from "../../../../vocabulary/built-in-routes.ts";
import type { Entries, Part } from "../../../../vocabulary/openapi/document.ts";
import { plainText } from "../account-schemas.ts";
import { type ErrorsByStatus, errorsOf, responseHeaders } from "../error-responses.ts";
import { type OperationFacts, successResponse } from "../operation.ts";

/** Who can use an account route. A `visitor` can send an access token. */
export type AccountCaller =
  | "everyone"
  | "visitor"
  | "signed in"
  | "administrators"
  | "administrators with API keys";

/** Facts of an account route that its table and its body do not have. */
export interface AccountFacts {
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly caller: AccountCaller;
  readonly parameters?: readonly Part[];
  /** Default the body of `accountBodies`. */
  readonly body?: OperationFacts["body"];
  /** By status. */
  readonly success: Entries<Part>;
  /** For a route that answers pages: those of errors. */
  readonly errorPages?: Entries<Part>;
  /** Without those of the caller, the URL, the body and the limit. */
  readonly errors: ErrorsByStatus;
  /** Whether hooks of `hooks/auth.ts` run. */
  readonly hooks?: true;
  /** What `success` becomes if hooks run. Default the same. */
  readonly hookedSuccess?: Entries<Part>;
}

/** Facts of each route, by its name. */
export type FactsOf<Row extends { readonly name: string }> = Readonly<Record<Row["name"], AccountFacts>>;

/** A route that exists only for declared providers. */
export type SocialRow = Extract<(typeof accountRoutes)[number], { readonly path: SocialPath }>;
type SignInRow = Extract<(typeof accountRoutes)[number], { readonly path: typeof signInPath }>;

/** A route that each service has. */
export type AccountRow = Exclude<(typeof accountRoutes)[number], SocialRow | SignInRow>;

/** An answer in the envelope. */
export function done(description: string, data: Part = { type: "object" }): Entries<Part> {
  return { 200: successResponse(description, data) };
}

/** A page. `more`: headers, or other contents. */
export function page(
  description: string,
  more: { readonly headers?: Part; readonly content?: Entries<Part> } = {},
): Part {
  return {
    description,
    headers: { ...responseHeaders, ...more.headers },
    content: { "text/html": { schema: plainText }, ...more.content },
  };
}

/** The id in a path. */
export const idParameter: Part = { name: "id", in: "path", required: true, schema: plainText };

/** Errors of a route that creates credentials or links for a user. */
export const lockedCaller = errorsOf("NOT_FOUND", "ACCOUNT_INACTIVE");
/** The same, and the sign-in must be recent. */
export const recentCaller = errorsOf("NOT_FOUND", "ACCOUNT_INACTIVE", "REAUTHENTICATION_REQUIRED");
