import { afterEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { operationMethods } from "#vocabulary/operations";
import { type Fired, type StagedHooks, stage } from "../http/fixture/stage.ts";
import { bodyOf, type Variables } from "./graphql.ts";
import type { Reply, Sent } from "./request.ts";
import { expectEnvelope } from "./scenarios.ts";
import type { Rows, TestService } from "./service.ts";
import type { Caller } from "./service-token.ts";

type Values = { readonly [field: string]: Json };

/** An operation, independent of REST and GraphQL. Filters have the form of GraphQL. */
export interface Asked {
  readonly model: string;
  readonly run: "fetch" | "search" | "create" | "update" | "upsert" | "delete" | "destroy" | "restore";
  readonly where?: Values;
  readonly data?: Values;
  readonly ids?: Json;
  readonly limit?: Json;
  readonly offset?: Json;
  /** A leading `-` means descending. */
  readonly order?: string;
  readonly search?: string;
  /** Of lists. */
  readonly fields?: readonly string[];
}

/** Operations on one model, each asked by every caller on these rows. */
export interface Table {
  readonly given: Rows;
  readonly model: string;
  readonly asked: readonly Omit<Asked, "model">[];
  readonly callers?: readonly Caller[];
  readonly plays?: StagedHooks;
}

/** What came of an operation: its answer, the hooks that fired and all rows. */
export interface Outcome {
  readonly status: string;
  readonly data: Json;
  readonly hooks: readonly unknown[];
  readonly rows: unknown;
}

const slugs: Readonly<Record<string, string>> = { strict: "strict-things" };
const suffixes: Readonly<Record<string, string>> = { eq: "", neq: "__ne", nin: "__not_in" };

/** The operation as a request to its route. */
export function overRest({ model, run, where, data, ids, ...list }: Asked): Sent {
  const path = `/${slugs[model] ?? model}/${run}`;
  const filters = Object.fromEntries(Object.entries(where ?? {}).flatMap(filtersOf));
  if (run !== "fetch" && run !== "search") {
    const key = run === "delete" || run === "destroy" ? "query" : "where";
    const body = {
      ...(where !== undefined && { [key]: filters }),
      ...(data !== undefined && { data }),
      ...(ids !== undefined && { ids }),
    };
    return { method: operationMethods[run], path, body };
  }
  const sent: [string, Json | undefined][] = [
    ...Object.entries(filters),
    ["limit", list.limit],
    ["offset", list.offset],
    ["order_by", list.order?.replace("-", "")],
    ["order", list.order?.startsWith("-") ? "desc" : undefined],
    ["search_term", list.search],
    ["select_fields", (list.fields ?? ["id"]).join()],
  ];
  const parameters = sent.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(textOf(value))}`],
  );
  return { method: "GET", path: `${path}?${parameters.join("&")}` };
}

function filtersOf([field, value]: [string, Json]): [string, Json][] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return value === null ? [[`${field}__is_null`, true]] : [[field, value]];
  return Object.entries(value).map(([operator, operand]): [string, Json] => {
    if (operator === "is_null") return [`${field}__is_${operand === true ? "" : "not_"}null`, true];
    return [`${field}${suffixes[operator] ?? `__${operator}`}`, operand];
  });
}

const textOf = (value: Json): string => (Array.isArray(value) ? JSON.stringify(value) : String(value));

/** The operation as a document, with everything that is not a name in variables. */
export function overGraphql(asked: Asked, selection: string): { query: string; variables: Variables } {
  const { model, run, where, data, ids } = asked;
  if (run === "fetch" || run === "search") return { query: listDocument(asked), variables: {} };
  const type = typeName(model);
  const input =
    type + { create: "Create", update: "Update", upsert: "Create", restore: "Update" }[run as "create"];
  const sent: [string, string, Json | undefined][] = [
    ["input", input, data],
    ["where", `${type}Where`, where],
    ["ids", "[ID!]", ids],
  ];
  const given = sent.filter(([, , value]) => value !== undefined);
  const declared = given.map(([name, kind]) => `$${name}: ${kind}`).join(", ");
  const passed = given.map(([name]) => `${name}: $${name}`).join(", ");
  const around = (text: string): string => (text === "" ? "" : `(${text})`);
  return {
    query: `mutation ${around(declared)} { answer: ${run}${type}${around(passed)} { ${selection} } }`,
    variables: Object.fromEntries(given.map(([name, , value]) => [name, value ?? null])),
  };
}

const typeName = (model: string): string =>
  model
    .split("_")
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join("");

const rootOf = ({ run, model }: Asked): string =>
  run === "fetch" || run === "search" ? model : `${run}${typeName(model)}`;

function listDocument({
  model,
  run,
  where = {},
  limit,
  offset,
  order,
  search,
  fields = ["id"],
}: Asked): string {
  const sent: [string, Json | undefined][] = [
    ...Object.entries(where),
    ["limit", limit],
    ["offset", offset],
    ["orderBy", order],
    ["search", run === "search" ? search : undefined],
  ];
  const parameters = sent.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${literal(value)}`],
  );
  const list = parameters.length === 0 ? "" : `(${parameters.join(", ")})`;
  return `{ answer: ${model}${list} { ${fields.join(" ")} } }`;
}

/** The literal of a value in a document. */
export function literal(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, entry]) => `${key}: ${literal(entry)}`);
  return `{ ${entries.join(", ")} }`;
}

/** The rows that each service was last given, and the resulting content of its tables. */
const fresh = new WeakMap<TestService, { readonly given: Rows; readonly rows: string }>();

/** Asks both ways, each on the same rows, and gives what came of it. */
export async function askBothWays(
  service: TestService,
  asked: Asked,
  { given, as, plays = {} }: { given: Rows; as: Caller; plays?: StagedHooks },
): Promise<{ rest: Outcome; graphql: Outcome }> {
  const send = async (sent: Sent): Promise<[Reply, Fired[], string]> => {
    const before = await storeOnce(service, given);
    Object.assign(stage, { hooks: plays, fired: [] });
    const reply = await service.send(sent, as);
    expectEnvelope(reply);
    const rows = await rowsOf(service, given);
    if (rows !== before) fresh.delete(service);
    return [reply, stage.fired.filter(({ hook }) => !hook.endsWith("graphql")), rows];
  };
  const rest = await send(overRest(asked));
  const { query, variables } = overGraphql(asked, selectionFor(asked, rest[0]));
  const graphql = await send({ method: "POST", path: "/graphql", body: bodyOf(query, variables) });
  return {
    rest: outcomeOf(rest, comparable(rest[0].envelope.data)),
    graphql: outcomeOf(graphql, comparable(answerOf(graphql[0].envelope.data), asked), rootOf(asked)),
  };
}

/** All that REST answered of a new row; ids elsewhere, where there are any. */
function selectionFor({ run }: Asked, { envelope: { data } }: Reply): string {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return "__typename";
  if (run === "create" || run === "upsert") return Object.keys(data).join(" ") || "__typename";
  const ids = Object.entries(data).find(([key]) => key.endsWith("_ids"))?.[1];
  return Array.isArray(ids) && ids.length > 0 ? "id" : "__typename";
}

function answerOf(data: Json): Json {
  if (data === null) return null;
  return typeof data === "object" && !Array.isArray(data) && "answer" in data ? data["answer"] : data;
}

function outcomeOf([reply, fired, rows]: [Reply, Fired[], string], data: Json, root?: string): Outcome {
  const { status, envelope } = reply;
  const { error, details } = envelope;
  return {
    status: error === undefined ? String(status) : `${status} ${error} ${fieldOf(details?.["field"], root)}`,
    data: settled(data),
    hooks: fired.map(({ hook, value }) => settled([hook, told(value)])),
    rows: settled(JSON.parse(rows)),
  };
}

/** What a refusal is about, under one name for both ways. Of a route the URL tells it, of a root field its name. */
function fieldOf(field: Json | undefined, root?: string): string {
  if (field === root) return "";
  const names: Readonly<Record<string, string>> = { order_by: "orderBy", data: "input", query: "where" };
  const name = typeof field === "string" ? field.replace(/__.*/, "") : "";
  return names[name] ?? name;
}

/** A list of rows that were written as REST reports them: by their number and ids. */
function comparable(data: Json, asked?: Asked): Json {
  const named = { update: "updated", delete: "deleted", destroy: "destroyed", restore: "restored" } as const;
  if (asked === undefined || !(asked.run in named) || !Array.isArray(data)) return data;
  const name = named[asked.run as keyof typeof named];
  const ids = data.flatMap((row) =>
    typeof row === "object" && row !== null && "id" in row ? [row["id"]] : [],
  );
  return { [`${name}_count`]: data.length, [`${name}_ids`]: ids };
}

/** The arguments of a hook without `select_fields`, which REST and GraphQL fill differently. */
function told(value: unknown): Json {
  const { select_fields, ...rest } = JSON.parse(JSON.stringify({ value })).value ?? {};
  return Array.isArray(value) ? JSON.parse(JSON.stringify(value)) : rest;
}

/** Replaces the values that differ from run to run: new ids, hashes and times. */
function settled(value: unknown): Json {
  const text = JSON.stringify(value ?? null, (key, entry: unknown) => {
    if (typeof entry === "number" && entry >= 1000 && /^id$|^\d+$/.test(key)) return "new id";
    if (typeof entry === "string" && entry.startsWith("$2b$")) return "hash";
    if (typeof entry !== "string" || !/^\d{4}-\d\d-\d\dT/.test(entry)) return entry;
    return Math.abs(Date.parse(entry) - Date.now()) < 60_000 ? "now" : entry;
  });
  return JSON.parse(text);
}

async function storeOnce(service: TestService, given: Rows): Promise<string> {
  const stored = fresh.get(service);
  if (stored?.given === given) return stored.rows;
  await service.store(given);
  const rows = await rowsOf(service, given);
  fresh.set(service, { given, rows });
  return rows;
}

async function rowsOf(service: TestService, given: Rows): Promise<string> {
  const list = Object.keys(given).map(
    (name) => `'${name}', (SELECT json_agg(t ORDER BY id) FROM "${name}" AS t)`,
  );
  const [row] = await service.query(`SELECT json_build_object(${list.join()})::text AS rows`);
  return String(row?.["rows"]);
}

const everybody: readonly Caller[] = [null, { role: "user", sub: "7" }, "staff", "admin"];

/** Declares a test for each operation of each table: both ways do and answer the same. */
export function bothWays(service: TestService, tables: Readonly<Record<string, Table>>): void {
  afterEach(() => {
    Object.assign(stage, { hooks: {}, fired: [] });
  });
  describe.each(Object.entries(tables))("GraphQL and REST do and answer the same: %s", (_, table) => {
    const { model, given, asked, callers = everybody, plays = {} } = table;
    const rows = asked.map((operation) => [operationTitle(operation), { model, ...operation }] as const);
    test.each(rows)("%s", async (_title, operation) => {
      for (const as of callers) {
        const { rest, graphql } = await askBothWays(service, operation, { given, as, plays });
        expect(graphql, `asked by ${JSON.stringify(as)}`).toEqual(rest);
      }
    });
  });
}

function operationTitle({ run, ...operation }: Omit<Asked, "model">): string {
  return `${run} ${JSON.stringify(operation)}`.replaceAll("%", "%%").slice(0, 120);
}
