import { crud, guard, input, type ModelRoutes, modelRoutes, route } from "#runtime/api/rest/index";
import type { Database } from "#runtime/core/database/index";
import type { AnyHooks } from "#runtime/hooks/index";
import { definePolicy, type Policy, type PolicyLiteral, type RoleRules } from "#runtime/models/access/index";
import type { Field, Model, Relation, Validators } from "#runtime/models/index";
import { type FieldConstraints, fieldSchema } from "#vocabulary/fields/field-schema";
import { service as fixture } from "../http/fixture/generated/index.ts";
import { type Reply as AnyReply, type Sent, sendRequest } from "./request.ts";
import { expectEnvelope } from "./scenarios.ts";
import { anyService, type Peers, type TestService } from "./service.ts";
import { claimsOf, signed } from "./service-token.ts";
import { silent } from "./silent-log.ts";

type Kind = Field["kind"];

/** A field: its kind, with `?` where it can be NULL, or all of its properties. */
export type ShortField = Kind | `${Kind}?` | (Field & Omit<Partial<FieldConstraints>, keyof Field>);

interface MoreOfModel extends Partial<Omit<Model, "key" | "fields">> {
  /** Fields of unique indexes, which are named after them. */
  readonly unique?: readonly (readonly string[])[];
}

/** A model for tests that no JSON file declares. Relations have foreign keys. */
export function model(
  key: string,
  fields: Readonly<Record<string, ShortField>>,
  { unique = [], relations = {}, ...more }: MoreOfModel = {},
): Model {
  const parents = Object.values(relations).filter(({ kind }) => kind === "belongs_to");
  return {
    key,
    typeName: `${key.charAt(0).toUpperCase()}${key.slice(1)}`,
    table: key,
    slug: key,
    id: "bigint",
    softDelete: false,
    maxLimit: 100,
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inFull(field)])),
    relations,
    uniqueKeys: unique.map((names) => ({ name: `${key}_${names.join("_")}_key`, fields: names })),
    foreignKeys: parents.map(({ field }) => ({ name: `${key}_${field}_fkey`, field })),
    ...more,
  };
}

function inFull(field: ShortField): Field {
  if (typeof field !== "string") return field;
  const kind = field.replace("?", "") as Kind;
  return field.endsWith("?") ? { kind, nullable: true } : { kind };
}

const relation = (kind: Relation["kind"], field: string, to: string, references: string): Relation => ({
  kind,
  field,
  model: to,
  references,
});
export const parent = (to: string, field: string) => relation("belongs_to", field, to, "id");
export const child = (to: string, references: string) => relation("has_one", "id", to, references);
export const children = (to: string, references: string) => relation("has_many", "id", to, references);

const operations = "fetch search count exists create update upsert delete destroy restore";

/** The same rules for some operations. */
export function rulesFor(names: string, rules: RoleRules): Partial<PolicyLiteral<Model>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, rules]));
}

/** A policy that lets no one in where it says nothing. */
export function policyOf(rules: Partial<PolicyLiteral<Model>>): Policy {
  const closed = { fetch: {}, search: {}, count: {}, exists: {}, create: {}, update: {}, upsert: {} };
  return definePolicy<Model>({ ...closed, delete: {}, destroy: {}, restore: {}, fields: {}, ...rules });
}

/** The same rules for every operation. */
export const sameRules = (rules: RoleRules): Policy => policyOf(rulesFor(operations, rules));

/** The JSON Schemas of a model. Fields that are neither nullable nor have a default are required. */
export function validatorsOf({ id, fields }: Model, required = requiredOf(fields)): Validators {
  const ids = {
    id: id === "uuid" ? { type: "string", format: "uuid" } : { type: "integer", format: "int64" },
  };
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]),
  );
  return {
    create: { required, properties: id === "uuid" ? { ...ids, ...properties } : properties },
    update: { properties },
    upsert: { required, properties: { ...ids, ...properties } },
  };
}

function requiredOf(fields: Model["fields"]): string[] {
  return Object.keys(fields).filter(
    (name) => fields[name]?.nullable !== true && fields[name]?.default === undefined,
  );
}

/** A model with all of its routes, as the generator writes them. */
export function mounted(
  subject: Model,
  policy: Policy,
  hooks: AnyHooks = {},
  validators = validatorsOf(subject),
): ModelRoutes {
  const entry = modelRoutes({ model: subject, policy, validators }, [
    route.get("/fetch", guard(policy.fetch), input.list, crud.fetch),
    route.get("/search", guard(policy.search), input.search, crud.search),
    route.get("/count", guard(policy.count), input.filter, crud.count),
    route.get("/exists", guard(policy.exists), input.requiredFilter, crud.exists),
    route.post("/create", guard(policy.create), input.records, crud.create),
    route.put("/update", guard(policy.update), input.changes, crud.update),
    route.put("/upsert", guard(policy.upsert), input.record, crud.upsert),
    route.delete("/delete", guard(policy.delete), input.removal, crud.delete),
    route.delete("/destroy", guard(policy.destroy), input.removal, crud.destroy),
    ...(subject.softDelete
      ? [route.patch("/restore", guard(policy.restore), input.restoration, crud.restore)]
      : []),
  ]);
  return { ...entry, hooks };
}

const columnTypes: Partial<Record<Kind, string>> = {
  string: "varchar(255)",
  email: "text",
  password: "text",
  float: "float8",
  int64: "int8",
  datetime: "timestamptz(3)",
  json: "jsonb",
  time: "time(0)",
  decimal: "numeric(20,2)",
};

/** SQL of the tables, as the generator makes them. Rows that refer to a cascading one are deleted with it. */
export function tablesOf(models: readonly Model[], cascading: readonly string[] = []): string {
  const stamps = ["created_at", "updated_at"]
    .map((name) => `${name} timestamptz(3) not null default now()`)
    .join();
  const tables = models.map(({ table, id, fields, softDelete, uniqueKeys }) => {
    const key =
      id === "uuid"
        ? "uuid primary key default gen_random_uuid()"
        : "bigint generated by default as identity primary key";
    const columns = Object.entries(fields).map(([name, { kind, nullable, default: value }]) => {
      const rest = `${nullable === true ? "" : " not null"}${value === undefined ? "" : ` default '${value}'`}`;
      return `"${name}" ${columnTypes[kind] ?? kind}${rest},`;
    });
    const live = softDelete ? " where deleted_at is null" : "";
    const indexes = uniqueKeys.map(({ name, fields: of }) => {
      return `create unique index "${name}" on "${table}" (${of.map((field) => `"${field}"`).join()})${live};`;
    });
    return `create table "${table}" (id ${key}, ${columns.join("")} ${stamps}${softDelete ? ", deleted_at timestamptz(3)" : ""});${indexes.join("")}`;
  });
  const keys = models.flatMap(({ table, relations, foreignKeys }) =>
    foreignKeys.map(({ name, field }) => {
      const to =
        Object.values(relations).find((one) => one.kind === "belongs_to" && one.field === field)?.model ?? "";
      return `alter table "${table}" add constraint "${name}" foreign key ("${field}") references "${to}" (id)${cascading.includes(to) ? " on delete cascade" : ""};
        create index on "${table}" ("${field}");`;
    }),
  );
  return [...tables, ...keys].join("\n");
}

export type Row = Record<string, unknown>;

/** What operations answer in `data`: rows, one row, or a report. A test knows which. */
type Data = readonly Row[] & {
  readonly id: number | string;
  readonly updated_count: number;
  readonly inserted_count: number;
  readonly updated_ids: readonly number[];
  readonly inserted_ids: readonly number[];
  readonly failed_records: readonly Row[];
};

export interface Reply extends AnyReply {
  /** The envelope; `expectEnvelope` checks that it is one. */
  readonly json: {
    readonly statusCode: number;
    readonly status: string;
    readonly error?: string;
    readonly message: string;
    readonly data: Data;
    readonly details?: { readonly field?: string; readonly errors?: readonly Row[] };
    readonly pagination?: Row;
  };
}

export interface Request {
  readonly method?: string;
  /** Path and query, already encoded. */
  readonly path: string;
  readonly token?: string | undefined;
  readonly headers?: Sent["headers"];
  /** A string or bytes are sent as they are; anything else as JSON. */
  readonly body?: unknown;
}

/** A request in one line: `call("PUT /papers/update", { where, data }, admin)`. */
export function call(line: string, body?: unknown, as?: string): Request {
  const space = line.indexOf(" ");
  const sent = { method: line.slice(0, space), path: line.slice(space + 1), body };
  return as === undefined ? sent : { ...sent, token: as };
}

export interface World {
  readonly db: Pick<TestService, "url" | "query">;
  readonly database: Database;
  readonly port: number;
  readonly send: (request: Request) => Promise<Reply>;
}

export interface WorldOptions extends Pick<Peers, "logger" | "watch"> {
  /** Models without routes. */
  readonly internalModels?: readonly Model[];
  /** SQL after that of the tables. */
  readonly sql?: string;
  readonly cascading?: readonly string[];
  readonly maxConnections?: number;
  readonly bulkLimit?: number;
}

/** Each credential is looked up there. */
const blacklist = `CREATE TABLE auth_token_blacklist (
  id bigint GENERATED BY DEFAULT AS IDENTITY, jti varchar(255) UNIQUE, expires_at timestamptz(3) NOT NULL);`;

/** A service with these models, on a database of its own with their tables. */
export async function modelService(
  models: readonly ModelRoutes[],
  {
    internalModels = [],
    sql = "",
    cascading = [],
    maxConnections = 6,
    bulkLimit = 1000,
    logger = silent,
    watch,
  }: WorldOptions = {},
): Promise<World> {
  const internal = internalModels.map((subject) => mounted(subject, sameRules({ "*": true })));
  const tables = tablesOf([...internalModels, ...models.map((entry) => entry.model)], cascading);
  const served = {
    ...fixture,
    name: "models",
    models,
    internalModels: internal,
    errors: {},
    routes: [],
    jobs: {},
    mails: [],
    usesQueue: false,
  };
  const {
    url,
    query: run,
    pool: database,
    origin,
  } = await anyService(
    served,
    { name: "models", server: { bulkLimit, bodyLimitBytes: 1024 * 1024 } },
    {
      tables: blacklist + tables + sql,
      connecting: { maxConnections },
      logger,
      overview: false,
      ...(watch !== undefined && { watch }),
    },
  );
  return {
    db: { url, query: run },
    database,
    port: Number(new URL(origin).port),
    async send({ method = "GET", path, token: as, headers, body }) {
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      const bytes = body === undefined ? undefined : Buffer.from(isRaw ? body : JSON.stringify(body));
      const all = {
        ...(bytes !== undefined && { "content-type": "application/json" }),
        ...(as !== undefined && { authorization: `Bearer ${as}` }),
        ...headers,
      };
      const reply = await sendRequest(origin, { method, path, headers: all, body: bytes });
      return Object.assign(reply, { json: reply.text === "" ? null : JSON.parse(reply.text) });
    },
  };
}

/** Sends requests as this caller where they name no other, and checks the envelopes. */
export const sender =
  (world: World, as?: string) =>
  async (request: Request): Promise<Reply> => {
    const reply = await world.send({ token: as, ...request });
    if (request.method !== "HEAD") expectEnvelope(reply, request);
    return reply;
  };

/** An access token as the account routes issue it; `claims` replaces some. */
export function token(role: string, sub = "1", claims: Record<string, unknown> = {}): string {
  return signed({ ...claimsOf({ role, sub }), ...claims });
}

/** A query string of parameters. */
export function query(parameters: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(parameters)}`;
}
