import { definePolicy } from "#runtime/access/index";
import type { AnyHooks } from "#runtime/hooks/index";
import { defineModel, type Field, type Model, type Relation } from "#runtime/model/index";
import type { ModelRoutes } from "#runtime/rest/index";
import type { Condition } from "#vocabulary/conditions";
import { mounted, schemas } from "./models.ts";
import { pausable } from "./pauses.ts";
import { startWorld, type World, type WorldOptions } from "./world.ts";

/** The rows that a role may touch, by its name. */
export type Rules = Readonly<Record<string, Condition | true>>;

/** EXISTS as the generator writes it, whose types a policy checks: here it stands outside of one. */
export const found = (path: string, where: Condition | null = null): Condition => ({
  op: "exists",
  path,
  where,
});

const to = (kind: Relation["kind"], field: string, model: string, references: string): Relation => ({
  kind,
  field,
  model,
  references,
});
const parent = (model: string, field: string) => to("belongs_to", field, model, "id");
const children = (model: string, references: string) => to("has_many", "id", model, references);
const key: Field = { kind: "bigint", nullable: true };
const word: Field = { kind: "string", nullable: true };
const text: Field = { kind: "text", nullable: true };
const flag: Field = { kind: "boolean", nullable: true };

function model(
  name: string,
  softDelete: boolean,
  fields: Readonly<Record<string, Field>>,
  relations: Readonly<Record<string, Relation>>,
): Model {
  return defineModel({
    key: name,
    typeName: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    table: name,
    slug: name,
    id: "bigint",
    softDelete,
    maxLimit: 100,
    fields,
    relations,
    uniqueKeys: "code" in fields ? [{ name: `${name}_code_key`, fields: ["code"] }] : [],
    foreignKeys: Object.keys(fields)
      .filter((field) => field.endsWith("_id"))
      .map((field) => ({ name: `${name}_${field}_fkey`, field })),
  });
}

/** A multi-tenant tracker, each relation of which some condition goes over. */
export const tenantModels = {
  users: model(
    "users",
    false,
    { role: word, team: text, is_active: flag, level: { kind: "integer", nullable: true } },
    {},
  ),
  organisations: model(
    "organisations",
    true,
    { name: word, owner_id: key, founded: { kind: "date", nullable: true } },
    {
      owner: parent("users", "owner_id"),
      memberships: children("memberships", "organisation_id"),
      projects: children("projects", "organisation_id"),
      bans: children("bans", "organisation_id"),
      plan: to("has_one", "id", "plans", "organisation_id"),
    },
  ),
  plans: model(
    "plans",
    true,
    { organisation_id: key, tier: word },
    { organisation: parent("organisations", "organisation_id") },
  ),
  memberships: model(
    "memberships",
    true,
    { organisation_id: key, user_id: key, role: word, code: word },
    {
      organisation: parent("organisations", "organisation_id"),
      user: parent("users", "user_id"),
      suspensions: children("suspensions", "membership_id"),
    },
  ),
  suspensions: model(
    "suspensions",
    true,
    { membership_id: key, reason: word },
    { membership: parent("memberships", "membership_id") },
  ),
  bans: model(
    "bans",
    true,
    { organisation_id: key, user_id: key, reason: word },
    { organisation: parent("organisations", "organisation_id"), user: parent("users", "user_id") },
  ),
  projects: model(
    "projects",
    true,
    { organisation_id: key, status: word, lead_id: key },
    {
      organisation: parent("organisations", "organisation_id"),
      lead: parent("users", "lead_id"),
      tasks: children("tasks", "project_id"),
    },
  ),
  tasks: model(
    "tasks",
    true,
    {
      project_id: key,
      parent_id: key,
      assignee_id: key,
      reporter_id: key,
      code: word,
      title: { kind: "text", nullable: true, searchable: true },
      due: { kind: "datetime", nullable: true },
      day: { kind: "date", nullable: true },
    },
    {
      project: parent("projects", "project_id"),
      parent: parent("tasks", "parent_id"),
      assignee: parent("users", "assignee_id"),
      subtasks: children("tasks", "parent_id"),
    },
  ),
} as const;

type Name = keyof typeof tenantModels;

const open = { admin: true } as const;

function entry(subject: Model, rules: Rules): ModelRoutes {
  const policy = definePolicy<Model>({
    fetch: rules,
    search: rules,
    count: rules,
    exists: rules,
    create: rules,
    update: rules,
    upsert: rules,
    delete: rules,
    destroy: rules,
    restore: rules,
    fields: {},
  });
  return mounted(subject, policy, schemas(subject, properties(subject), []));
}

const types: Readonly<Record<string, object>> = {
  bigint: { type: ["integer", "null"], format: "int64" },
  integer: { type: ["integer", "null"], format: "int32" },
  boolean: { type: ["boolean", "null"] },
  string: { type: ["string", "null"], maxLength: 255 },
  datetime: { type: ["string", "null"], format: "datetime" },
  date: { type: ["string", "null"], format: "date" },
};

function properties({ fields }: Model): Record<string, object> {
  return Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, types[kind] ?? {}]));
}

const columns: Readonly<Record<string, string>> = { string: "varchar(255)", datetime: "timestamptz(3)" };

/** As the generator makes them: each relation has a foreign key. */
export const tenantTables = [
  ...Object.values(tenantModels).map(({ table, fields, softDelete }: Model) => {
    const own = Object.entries(fields).map(([name, { kind }]) => `"${name}" ${columns[kind] ?? kind}`);
    const stamps = `created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()`;
    const deleted = softDelete ? ", deleted_at timestamptz(3)" : "";
    const live = softDelete ? "where deleted_at is null" : "";
    const unique =
      "code" in fields ? `create unique index ${table}_code_key on ${table} (code) ${live};` : "";
    return `create table ${table} (id bigint generated by default as identity primary key, ${own.join()}, ${stamps}${deleted});${unique}`;
  }),
  ...Object.values(tenantModels).flatMap(({ table, relations }: Model) =>
    Object.values(relations)
      .filter(({ kind }) => kind === "belongs_to")
      .map(
        ({ field, model: other }) =>
          `alter table ${table} add constraint ${table}_${field}_fkey foreign key (${field}) references ${other} (id) ${["memberships", "tasks"].includes(other) ? "on delete cascade" : ""};
          create index on ${table} (${field});`,
      ),
  ),
  pausable(Object.values(tenantModels).map(({ table }) => table)),
].join("\n");

interface TenantOptions extends Pick<WorldOptions, "watch" | "log"> {
  /** Of tasks. */
  readonly hooks?: AnyHooks;
  readonly sql?: string;
}

/** A service with these rules; models without rules are open to `admin`, who may touch all rows of the others too. */
export function tenantWorld(
  rules: Partial<Record<Name, Rules>>,
  { hooks = {}, sql = "", ...options }: TenantOptions = {},
): Promise<World> {
  const routed = Object.values(tenantModels).filter(({ key: name }) => name !== "users");
  return startWorld({
    maxConnections: 8,
    sql: tenantTables + sql,
    models: routed.map((subject) => ({
      ...entry(subject, { ...open, ...rulesOf(rules, subject.key) }),
      ...(subject.key === "tasks" && { hooks }),
    })),
    ...options,
    internalModels: [tenantModels.users],
  });
}

function rulesOf(rules: Partial<Record<string, Rules>>, name: string): Rules {
  return rules[name] ?? {};
}
