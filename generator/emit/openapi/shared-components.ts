import {
  type Components,
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import { pageTotals } from "../../../vocabulary/operations.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { responseHeaders } from "./error-responses.ts";
import { list, successResponse } from "./operation.ts";

/** A count. */
export const whole = { type: "integer", minimum: 0 };
const cursor = { type: ["string", "null"] };
const totals = { total: whole, estimated: { const: true } };

/** An answer: an open object, so that later versions can add properties. */
export function answer(properties: Part, optional: readonly string[] = []): Part {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", required, properties };
}

const integerIds = list({ type: "integer", format: "int64" });
const uuids = list({ type: "string", format: "uuid" });
/** Of keys that are texts, and of exact numbers. */
const texts = list({ type: "string" });

function report(done: "inserted" | "updated", ids: Part): Part {
  return answer({
    [`${done}_count`]: whole,
    [`${done}_ids`]: ids,
    failed_count: whole,
    failed_records: list(reference("schemas", "FailedRecord")),
    total_attempted: whole,
  });
}

/** Schemas of the envelope, of errors, pages and reports. */
export const sharedSchemas = {
  CreateReport: report("inserted", integerIds),
  CreateReportOfUuids: report("inserted", uuids),
  CreateReportOfTexts: report("inserted", texts),
  UpdateReport: report("updated", integerIds),
  UpdateReportOfUuids: report("updated", uuids),
  UpdateReportOfTexts: report("updated", texts),
  FailedRecord: answer(
    {
      index: whole,
      error: { type: "string" },
      message: { type: "string" },
      field: { type: "string" },
      check: { type: "string" },
    },
    ["field", "check"],
  ),
  Pagination: { anyOf: [reference("schemas", "PageOfOffset"), reference("schemas", "PageOfCursor")] },
  PageOfOffset: answer(
    {
      limit: whole,
      page: whole,
      offset: whole,
      ...totals,
      total_pages: whole,
      has_more: { type: "boolean" },
    },
    ["total", "total_pages", "estimated"],
  ),
  PageOfCursor: answer(
    { limit: whole, has_more: { type: "boolean" }, next: cursor, previous: cursor, ...totals },
    ["total", "estimated"],
  ),
  Problem: answer({ field: { type: "string" }, message: { type: "string" } }),
  Error: answer(
    {
      statusCode: { type: "integer" },
      status: { const: "error" },
      error: { type: "string" },
      message: { type: "string" },
      data: { type: "null" },
      details: {
        type: "object",
        properties: {
          field: { type: "string" },
          errors: list(reference("schemas", "Problem")),
          failed_records: list(reference("schemas", "FailedRecord")),
        },
      },
    },
    ["details"],
  ),
  Success: answer({
    statusCode: { const: 200 },
    status: { const: "success" },
    message: { type: "string" },
    data: {},
  }),
} satisfies Entries<DocumentSchema>;

function changed(done: "updated" | "deleted" | "destroyed" | "restored", ids: Part): Part {
  return answer({ [`${done}_count`]: whole, [`${done}_ids`]: ids });
}

function responsesFor(suffix: "Id" | "Uuid" | "Text", ids: Part, reportName: string): Entries<Part> {
  const updated = { anyOf: [changed("updated", ids), reference("schemas", reportName)] };
  return {
    [`Upserted${suffix}`]: successResponse("The id of the row.", answer({ id: ids["items"] ?? {} })),
    [`Updated${suffix}s`]: successResponse(
      "The ids of the changed rows, or the report of several records.",
      updated,
    ),
    [`Deleted${suffix}s`]: successResponse("The ids of the deleted rows.", changed("deleted", ids)),
    [`Destroyed${suffix}s`]: successResponse("The ids of the deleted rows.", changed("destroyed", ids)),
    [`Restored${suffix}s`]: successResponse("The ids of the restored rows.", changed("restored", ids)),
  };
}

/** Answers that models share. */
export const sharedResponses: Entries<Part> = {
  Count: successResponse("The number of rows.", answer({ count: whole })),
  Exists: successResponse("Whether there are rows.", answer({ exists: { type: "boolean" } })),
  ...responsesFor("Id", integerIds, "UpdateReport"),
  ...responsesFor("Uuid", uuids, "UpdateReportOfUuids"),
  ...responsesFor("Text", texts, "UpdateReportOfTexts"),
  Redirect: {
    description: "A redirect.",
    headers: { Location: { schema: { type: "string" } }, ...responseHeaders },
  },
};

/** A parameter of a query string. */
export function queryParameter(name: string, description: string, schema: Part, required = false): Part {
  return { name, in: "query", description, ...(required && { required }), schema };
}

/** Parameters of lists. */
export const sharedParameters: Entries<Part> = {
  limit: queryParameter("limit", "Rows of a page, at most the model's `max_limit`.", {
    type: "integer",
    minimum: 1,
    default: 10,
  }),
  page: queryParameter("page", "The number of a page, from 1.", { type: "integer", minimum: 1 }),
  offset: queryParameter("offset", "Rows to skip.", { type: "integer", minimum: 0 }),
  order: queryParameter("order", "The direction of `order_by`.", { enum: ["ASC", "DESC"], default: "ASC" }),
  page__after: queryParameter("page__after", "The cursor `next` of a page, or `start`.", {
    type: "string",
    maxLength: 4096,
  }),
  page__before: queryParameter("page__before", "The cursor `previous` of a page, or `end`.", {
    type: "string",
    maxLength: 4096,
  }),
  page__total: queryParameter("page__total", "Whether a page has a total.", { enum: pageTotals }),
  search_term: queryParameter(
    "search_term",
    "Text anywhere in a searchable field.",
    { type: "string", minLength: 1, maxLength: 256 },
    true,
  ),
};

function header(description: string, schema: Part): Part {
  return { description, schema };
}

export const sharedHeaders: Entries<Part> = {
  "X-RateLimit-Limit": header("Requests per window.", whole),
  "X-RateLimit-Remaining": header("Requests left in this window.", whole),
  "X-RateLimit-Reset": header("Unix time in seconds at which the window ends.", whole),
  "Retry-After": header("Seconds until the next attempt.", whole),
  "X-Request-Id": header("The id of the request, which the log has too.", { type: "string", maxLength: 128 }),
};

/** Security schemes. `cookie` is the name of the auth cookie, `ingestion` whether monitoring is on. */
export function securitySchemes({
  cookieName: cookie,
  refreshCookieName: refreshCookie,
  monitoring: ingestion,
}: Pick<
  ServiceDefinition,
  "cookieName" | "refreshCookieName" | "monitoring"
>): Components["securitySchemes"] {
  return {
    bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
    ...(cookie !== null && { cookie: { type: "apiKey", in: "cookie", name: cookie } }),
    ...(refreshCookie !== null && { refreshCookie: { type: "apiKey", in: "cookie", name: refreshCookie } }),
    ...(ingestion && { ingestionKey: { type: "http", scheme: "bearer" } }),
  };
}
