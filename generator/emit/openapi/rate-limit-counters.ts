import { administratorRoles } from "../../../vocabulary/accounts/role-names.ts";
import { adminRoutes } from "../../../vocabulary/built-in-routes.ts";
import {
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import { credentialErrors, type ErrorsByStatus, errorsOf, joinErrors } from "./error-responses.ts";
import { list, type OperationMaker, successResponse } from "./operation.ts";
import { pathsOfTable, type RouteGroup } from "./route-group.ts";
import { answer, queryParameter, whole } from "./shared-components.ts";

type AdminRoute = (typeof adminRoutes)[number];

interface AdminFacts {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Part[];
  readonly success: Part;
  readonly errors: ErrorsByStatus;
}

const key: Part = { type: "string" };

/** Schemas of the answers about counters. */
export const counterSchemas = {
  RateLimitCounter: answer({
    key,
    count: whole,
    max_requests: whole,
    window_seconds: whole,
    reset_at: { type: "string", format: "date-time" },
  }),
} satisfies Entries<DocumentSchema>;

const counter = reference("schemas", "RateLimitCounter");
const ofKey: Part = { name: "key", in: "path", required: true, description: "Percent-encoded.", schema: key };

const facts: Readonly<Record<AdminRoute["name"], AdminFacts>> = {
  list: {
    operationId: "rateLimitsList",
    summary: "List the counters of rate limits",
    parameters: [
      queryParameter("prefix", "The beginning of the keys.", { type: "string", minLength: 1 }),
      queryParameter("limit", "The number of counters. More than 1,000 count as 1,000.", {
        type: "integer",
        minimum: 1,
        default: 100,
      }),
    ],
    success: successResponse("The counters by key.", answer({ counters: list(counter) })),
    errors: {},
  },
  get: {
    operationId: "rateLimitsGet",
    summary: "Get the counter of a key",
    parameters: [ofKey],
    success: successResponse("The counter.", counter),
    errors: errorsOf("NOT_FOUND"),
  },
  reset: {
    operationId: "rateLimitsReset",
    summary: "Reset the counter of a key",
    parameters: [ofKey],
    success: successResponse("The counter is reset.", answer({ key, reset: { const: true } })),
    errors: errorsOf("NOT_FOUND"),
  },
};

/** The routes that read and reset counters. */
export function rateLimitGroup(make: OperationMaker): RouteGroup {
  const tag = "rate-limits";
  const paths = pathsOfTable(adminRoutes, "", ({ name }: AdminRoute) => {
    const { success, errors, ...own } = facts[name];
    return make({
      ...own,
      tag,
      credentials: "required",
      success: { 200: success },
      errors: joinErrors(
        errors,
        credentialErrors,
        errorsOf("MISSING_TOKEN", "VALIDATION_ERROR", "PERMISSION_DENIED"),
      ),
      app: false,
      access: [...administratorRoles].sort().map((role) => ({ role })),
      limit: null,
    });
  });
  return { tag, description: "Counters of rate limits, for administrators.", paths, schemas: counterSchemas };
}
