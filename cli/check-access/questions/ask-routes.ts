import type { Json } from "#vocabulary/json";
import type { AccessCheck } from "../access-check.ts";
import type { AccessReport } from "../access-report.ts";
import { askAndRevert, isJsonRecord, jsonMember } from "./ask.ts";

/** Answers that say nothing about rows: refused, unknown path, wrong input. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 415]);

/**
 * The custom routes of the running app that answer the least input that their schemas allow. Rules do not
 * restrict the rows in the answers. Routes that only `generated/` has are among them.
 */
export async function askRoutes(check: AccessCheck): Promise<AccessReport["not_covered_by_rules"]> {
  const found: { route: string; callers: string[] }[] = [];
  for (const { method, path, params, query, body } of check.hooks.app.routes) {
    const callers: string[] = [];
    const inPath = leastInput(params);
    const named = path.replaceAll(/:(\w+)/g, (_, name) =>
      encodeURIComponent(String(jsonMember(inPath, name) ?? 1)),
    );
    const inQuery = Object.entries(leastInput(query) ?? {}).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const search = inQuery.length === 0 ? "" : `?${new URLSearchParams(inQuery)}`;
    const sent = method === "GET" || method === "DELETE" ? {} : { body: leastInput(body) };
    for (const caller of check.callers) {
      const question = { method, path: `${named.replace(/^\//, "")}${search}`, ...sent };
      const { status } = await askAndRevert(check, caller, question);
      if (!refusals.has(status)) callers.push(caller.name);
    }
    const declared = check.definition.routes.some((route) => route.method === method && route.path === path);
    if (callers.length > 0)
      found.push({ route: `${method} ${path}${declared ? "" : " (not in models/routes/)"}`, callers });
  }
  return found;
}

const texts: Readonly<Record<string, string>> = {
  ...{
    email: "check@example.com",
    date: "2020-01-01",
    "date-time": "2020-01-01T00:00:00Z",
    time: "12:00:00Z",
  },
  ...{ uuid: "00000000-0000-4000-8000-000000000000", uri: "https://example.com", "uri-reference": "/" },
};

/** A small value for a JSON Schema: of objects the required properties. Patterns are ignored. */
function leastInput(schema: unknown): Json {
  if (!isJsonRecord(schema)) return {};
  const {
    const: only,
    default: usual,
    enum: values,
    type,
    properties,
    required,
    items,
    minimum = 1,
  } = schema;
  const { minItems = 0, minLength = 1, format = "", anyOf, oneOf } = schema;
  const known = only ?? usual ?? (Array.isArray(values) ? values[0] : undefined);
  if (known !== undefined) return known;
  const [way] = [anyOf, oneOf].flatMap((ways) => (Array.isArray(ways) ? ways : []));
  if (way !== undefined) return leastInput(way);
  switch (Array.isArray(type) ? type[0] : type) {
    case "string":
      return texts[String(format)] ?? "a".repeat(Number(minLength));
    case "integer":
    case "number":
      return minimum;
    case "boolean":
      return true;
    case "array":
      return Array.from({ length: Number(minItems) }, () => leastInput(items));
    default: {
      const names = Array.isArray(required) ? required.map(String) : [];
      return Object.fromEntries(names.map((name) => [name, leastInput(jsonMember(properties, name))]));
    }
  }
}
