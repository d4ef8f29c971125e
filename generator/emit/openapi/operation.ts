import type { AccountCounter } from "../../../vocabulary/built-in-routes.ts";
import {
  type AccessEntry,
  type DocumentedOperation,
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import type { CountedPer, Limit } from "../../../vocabulary/rate-limits.ts";
import {
  bodyErrors,
  type ErrorForm,
  type ErrorResponses,
  type ErrorsByStatus,
  errorsOf,
  everyOperation,
  httpErrors,
  joinErrors,
  responseHeaders,
} from "./error-responses.ts";

/**
 * The credentials of an operation: `none`, `optional` or `required` for an access token or API key, `session` and
 * `optional session` for an access token, `ingestion` for the key of monitoring.
 */
export type Authentication = "none" | "optional" | "required" | "session" | "optional session" | "ingestion";

/** Facts of an operation that its tables or models have. */
export interface OperationFacts {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly credentials: Authentication;
  readonly parameters?: readonly Part[];
  /** The schemas of a body by content type; a single schema is of JSON. `optional`: the body can be missing. */
  readonly body?: Part | { readonly byType: Part; readonly optional?: boolean };
  /** By status. */
  readonly success: Entries<Part>;
  /** Without those that every operation has, and those of its body and its limit. */
  readonly errors: ErrorsByStatus;
  /** Default: only the envelope. */
  readonly errorForm?: ErrorForm;
  /** Whether code of the app runs. */
  readonly app: boolean;
  readonly access: readonly AccessEntry[] | null;
  readonly limit: (Limit & { readonly per: CountedPer | AccountCounter | readonly AccountCounter[] }) | null;
}

export type OperationMaker = (facts: OperationFacts) => DocumentedOperation;

/** Makes operations. `cookie`: the service has an auth cookie. `limited`: it counts requests. */
export function operationMaker(
  responses: ErrorResponses,
  { cookie, limited }: { readonly cookie: boolean; readonly limited: boolean },
): OperationMaker {
  const known = new Map<ErrorsByStatus, Map<string, Entries<Part>>>();
  /** The answers of an operation. Operations with the same ones share an object: statuses as keys take kilobytes. */
  const answersOf = (facts: OperationFacts, isCounted: boolean): Entries<Part> => {
    const { success, errors, body, app, errorForm } = facts;
    const ofBody = body === undefined ? {} : errorsOfBody(body);
    const key = JSON.stringify([success, ofBody, isCounted, app, errorForm ?? null]);
    const answers = known.get(errors)?.get(key);
    if (answers !== undefined) return answers;
    const ofLimit = isCounted ? errorsOf("RATE_LIMIT_EXCEEDED") : {};
    const all = joinErrors(errors, everyOperation, ofBody, ofLimit);
    const made = { ...success, ...responses.of(all, app, errorForm) };
    known.set(errors, (known.get(errors) ?? new Map()).set(key, made));
    return made;
  };
  return (facts) => {
    const { operationId, tag, summary, description, credentials, parameters, body, access, limit } = facts;
    const counted = limited && limit !== null ? limit : null;
    return {
      operationId,
      tags: [tag],
      summary,
      ...(description !== undefined && { description }),
      security: securityOf(credentials, cookie),
      ...(parameters !== undefined && parameters.length > 0 && { parameters }),
      ...(body !== undefined && { requestBody: requestBody(body) }),
      responses: answersOf(facts, counted !== null),
      ...(access !== null && { "x-kirak-access": access }),
      ...(counted !== null && { "x-kirak-limit": limitOf(counted) }),
    };
  };
}

function securityOf(credentials: Authentication, cookie: boolean): Entries<readonly string[]>[] {
  const bearer = { bearer: [] };
  const cookies = cookie ? [{ cookie: [] }] : [];
  switch (credentials) {
    case "none":
      return [];
    case "ingestion":
      return [{ ingestionKey: [] }];
    case "session":
      return [bearer, ...cookies];
    case "optional session":
      return [{}, bearer, ...cookies];
    case "required":
      return [bearer, { apiKey: [] }, ...cookies];
    case "optional":
      return [{}, bearer, { apiKey: [] }, ...cookies];
  }
}

function requestBody(body: NonNullable<OperationFacts["body"]>): Part {
  const { byType: types, optional = false } = isByType(body)
    ? body
    : { byType: { "application/json": body } };
  const content = Object.entries(types).map(([type, schema]) => [type, { schema }]);
  return { required: !optional, content: Object.fromEntries(content) };
}

/** The content type of a body that is passed as bytes. */
export const anyType = "*/*";

function errorsOfBody(body: NonNullable<OperationFacts["body"]>): ErrorsByStatus {
  return isByType(body) && anyType in body.byType ? httpErrors(413) : bodyErrors;
}

function isByType(
  body: NonNullable<OperationFacts["body"]>,
): body is { readonly byType: Part; readonly optional?: boolean } {
  return "byType" in body;
}

function limitOf({ maxRequests, windowSeconds, per }: NonNullable<OperationFacts["limit"]>): Part {
  return { max_requests: maxRequests, window_seconds: windowSeconds, per };
}

/** An answer in the envelope. */
export function successResponse(description: string, data: DocumentSchema, more: Part = {}): Part {
  const schema = {
    allOf: [reference("schemas", "Success")],
    required: ["data"],
    properties: { data, ...more },
  };
  return { description, headers: responseHeaders, content: { "application/json": { schema } } };
}

/** The schema of an object with these properties and no others, all required except `optional`. */
export function object(properties: Part, optional: readonly string[] = []): Part {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: false,
  };
}

export function list(items: Part): Part {
  return { type: "array", items };
}
