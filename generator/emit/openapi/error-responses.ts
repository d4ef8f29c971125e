import { errorCodes } from "../../../vocabulary/error-codes.ts";
import { type Entries, type Part, reference } from "../../../vocabulary/openapi/document.ts";

/** Error codes by status. */
export type ErrorsByStatus = Readonly<Record<number, readonly string[]>>;

/** The errors of built-in codes, by status. `HTTP_ERROR` has several statuses: see `httpErrors`. */
export function errorsOf(
  ...codes: readonly Exclude<keyof typeof errorCodes, "HTTP_ERROR">[]
): ErrorsByStatus {
  return joinErrors(...codes.map((code) => ({ [errorCodes[code].status]: [code] })));
}

/** `HTTP_ERROR` with these statuses. */
export function httpErrors(...statuses: readonly number[]): ErrorsByStatus {
  return Object.fromEntries(statuses.map((status) => [status, ["HTTP_ERROR"]]));
}

/** All codes of several lists of errors, whose codes are sorted. */
export function joinErrors(...lists: readonly ErrorsByStatus[]): ErrorsByStatus {
  const all: Record<string, readonly string[]> = {};
  for (const list of lists)
    for (const [status, codes] of Object.entries(list)) {
      const known = all[status];
      all[status] = known === undefined ? codes : [...new Set([...known, ...codes])].sort();
    }
  return all;
}

/** Errors of every operation. */
export const everyOperation = joinErrors(
  errorsOf("DATABASE_ERROR", "INTERNAL_ERROR", "AUTH_UNAVAILABLE"),
  httpErrors(503),
);

/** Errors of an operation that reads a JSON body. */
export const bodyErrors = joinErrors(errorsOf("VALIDATION_ERROR"), httpErrors(413, 415));

/** Errors of a credential that is not valid. */
export const credentialErrors = errorsOf(
  "INVALID_TOKEN",
  "TOKEN_EXPIRED",
  "TOKEN_REVOKED",
  "INVALID_API_KEY",
);

/** Errors of the access token that a session route needs. */
export const sessionErrors = errorsOf("MISSING_TOKEN", "INVALID_TOKEN", "TOKEN_EXPIRED", "TOKEN_REVOKED");

const unavailable = "ServiceUnavailable";

/** Names of responses with these codes. Other names are made of the codes. */
const usual: readonly (readonly [name: string, errors: ErrorsByStatus])[] = [
  ["Unauthorized", credentialErrors],
  ["SignInRequired", joinErrors(credentialErrors, errorsOf("MISSING_TOKEN"))],
  ["SessionRequired", sessionErrors],
  ["RequestTimeout", httpErrors(408)],
  ["Conflict", httpErrors(409)],
  ["PreconditionFailed", httpErrors(412)],
  ["ContentTooLarge", httpErrors(413)],
  ["UnsupportedMediaType", httpErrors(415)],
  ["RangeNotSatisfiable", httpErrors(416)],
  // Monitoring refuses parameters with 422.
  ["UnprocessableContent", { 422: ["VALIDATION_ERROR"] }],
  ["TooManyRequests", errorsOf("RATE_LIMIT_EXCEEDED")],
  ["ServerError", { 500: everyOperation[500] ?? [] }],
  ["StorageError", joinErrors({ 500: everyOperation[500] ?? [] }, errorsOf("STORAGE_ERROR"))],
  [unavailable, { 503: everyOperation[503] ?? [] }],
];

const usualNames = new Map(
  usual.flatMap(([name, errors]) =>
    Object.entries(errors).map(([status, codes]) => [`${status} ${codes.join()}`, name] as const),
  ),
);

/** The name of a response: `ValidationError`, `InvalidTokenOrTokenExpired`, `ValidationErrorOrAppError`. */
function responseName(status: number, codes: readonly string[], hasAppErrors: boolean): string {
  const name = usualNames.get(`${status} ${codes.join()}`) ?? codes.map(pascalCase).join("Or");
  if (!hasAppErrors) return name;
  return name === "" ? `AppError${status}` : `${name}OrAppError`;
}

function pascalCase(code: string): string {
  return code
    .toLowerCase()
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** A second form of all errors of an operation. The names of its responses begin with `name`. */
export interface ErrorForm {
  readonly name: string;
  readonly content: Entries<Part>;
}

const envelopeOnly: ErrorForm = { name: "", content: {} };

/** The error responses of a document. Operations with the same status and codes share one. */
export interface ErrorResponses {
  /** References by status. `app`: code of the app runs, which can throw its errors, and any other code. */
  readonly of: (errors: ErrorsByStatus, app: boolean, form?: ErrorForm) => Entries<Part>;
  /** The responses that were referred to, by name. */
  readonly all: () => Entries<Part>;
}

/** Collects error responses. `appErrors` are those of `models/errors.json`. */
export function errorResponses(appErrors: ErrorsByStatus): ErrorResponses {
  const found = new Map<string, Part>();
  const references = new Map<string, Part>();
  const one = (name: string, response: () => Part): Part => {
    const known = references.get(name) ?? reference("responses", name);
    if (!references.has(name)) found.set(name, response());
    references.set(name, known);
    return known;
  };
  return {
    of: (errors, app, form = envelopeOnly) => {
      const added = app ? appErrors : {};
      const statuses = Object.keys({ ...errors, ...added }).map(Number);
      const listed = statuses.map((status) => {
        const [builtIn, own] = [errors[status] ?? [], added[status] ?? []];
        const name = form.name + responseName(status, builtIn, own.length > 0);
        return [status, one(name, () => errorResponse(status, [...builtIn, ...own], form))];
      });
      return {
        ...Object.fromEntries(listed),
        ...(app ? { default: one(`${form.name}AnyError`, () => anyError(form)) } : {}),
      };
    },
    // Every operation has the last one.
    all: () => {
      const { [unavailable]: last = {}, ...others } = Object.fromEntries(
        [...found].sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      return { ...others, [unavailable]: last };
    },
  };
}

function errorResponse(status: number, codes: readonly string[], { content }: ErrorForm): Part {
  const retry = status === 429 || status === 503 ? retryAfter : {};
  const named =
    codes.length === 1 ? `\`${codes[0]}\`.` : `One of ${codes.map((code) => `\`${code}\``).join(", ")}.`;
  return {
    description: status === 503 ? `${named} ${whetherDone}` : named,
    headers: { ...responseHeaders, ...retry },
    content: { ...errorContent(status, codes), ...content },
  };
}

const whetherDone =
  "With `Retry-After` nothing was done, so a client can repeat the request. A write without it can have been carried out.";

/** The error of an operation that runs code of the app. */
function anyError({ content }: ErrorForm): Part {
  return {
    description: "An error that the app's code chose.",
    headers: responseHeaders,
    content: { "application/json": { schema: reference("schemas", "Error") }, ...content },
  };
}

/** The JSON of errors with these codes. */
export function errorContent(status: number, codes: readonly string[] = []): Entries<Part> {
  const schema = {
    allOf: [reference("schemas", "Error")],
    required: ["statusCode", "error"],
    properties: { statusCode: { const: status }, error: { enum: codes } },
  };
  return { "application/json": { schema } };
}

/** The header of a refusal that ends by itself. */
export const retryAfter: Part = { "Retry-After": reference("headers", "Retry-After") };

/** Headers of every answer in the envelope; those of limits are there if the request was counted. */
export const responseHeaders: Part = Object.fromEntries(
  ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].map((name) => [
    name,
    reference("headers", name),
  ]),
);
