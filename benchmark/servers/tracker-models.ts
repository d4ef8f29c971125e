import { and, caller, definePolicy, eq, exists, isIn, or } from "#runtime/models/access/index";
import { defineModel, type Model } from "#runtime/models/index";

const shared = { id: "bigint", softDelete: true, maxLimit: 1000, uniqueKeys: [], foreignKeys: [] } as const;

const organisation = {
  kind: "belongs_to",
  field: "organisation_id",
  model: "organisations",
  references: "id",
} as const;

export const organisations = defineModel({
  ...shared,
  key: "organisations",
  typeName: "Organisations",
  table: "organisations",
  slug: "organisations",
  fields: { name: { kind: "string" }, owner_id: { kind: "bigint" } },
  relations: {
    memberships: { kind: "has_many", field: "id", model: "memberships", references: "organisation_id" },
  },
});

export const memberships = defineModel({
  ...shared,
  key: "memberships",
  typeName: "Memberships",
  table: "memberships",
  slug: "memberships",
  softDelete: false,
  fields: { organisation_id: { kind: "bigint" }, user_id: { kind: "bigint" }, role: { kind: "string" } },
  relations: { organisation },
});

export const projects = defineModel({
  ...shared,
  key: "projects",
  typeName: "Projects",
  table: "projects",
  slug: "projects",
  fields: { organisation_id: { kind: "bigint" }, name: { kind: "string" } },
  relations: { organisation },
});

/** The model whose rows are read. */
export const tasks = defineModel({
  ...shared,
  key: "tasks",
  typeName: "Tasks",
  table: "tasks",
  slug: "tasks",
  fields: {
    organisation_id: { kind: "bigint" },
    project_id: { kind: "bigint" },
    assignee_id: { kind: "bigint", nullable: true },
    title: { kind: "string" },
    status: { kind: "string" },
  },
  relations: {
    organisation,
    project: { kind: "belongs_to", field: "project_id", model: "projects", references: "id" },
  },
});

/** The models on the way of the rules. */
interface Way {
  readonly organisations: typeof organisations;
  readonly memberships: typeof memberships;
  readonly projects: typeof projects;
}

const closed = {
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {},
  update: {},
  upsert: {},
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
} as const;

/** Of the models on the way: what their own rules say does not count. */
export const closedPolicy = definePolicy<Model>({ ...closed, fetch: {} });

/** A role for each rule that is measured. */
export const taskPolicy = definePolicy<typeof tasks, Way>({
  ...closed,
  fetch: {
    member: exists("organisation.memberships", eq("user_id", caller.user_id)),
    manager: exists(
      "project.organisation.memberships",
      and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"])),
    ),
    owner: eq("organisation.owner_id", caller.user_id),
    landlord: eq("project.organisation.owner_id", caller.user_id),
    colleague: or(
      eq("assignee_id", caller.user_id),
      exists("organisation.memberships", eq("user_id", caller.user_id)),
    ),
  },
});
