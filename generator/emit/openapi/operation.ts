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
  // Operations with the same answers share an object: one with statuses as keys takes kilobytes.
  const known = new Map<
    ErrorsByStatus,
    Map<string, { failure: Entries<Part>; all: Map<string, Entries<Part>> }>
  >();
  const answersOf = ({ success, errors, body, app, errorForm }: OperationFacts, isCounted: boolean) => {
    const ofBody = body === undefined ? {} : errorsOfBody(body);
    const alike = remembered(known, errors, () => new Map());
    const { failure, all } = remembered(alike, JSON.stringify([ofBody, isCounted, app, errorForm]), () => {
      const ofLimit = isCounted ? errorsOf("RATE_LIMIT_EXCEEDED") : {};
      const joined = joinErrors(errors, everyOperation, ofBody, ofLimit);
      return { failure: responses.of(joined, app, errorForm), all: new Map() };
    });
    return remembered(all, JSON.stringify(success), () => ({ ...success, ...failure }));
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

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
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
