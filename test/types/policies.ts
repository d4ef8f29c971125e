/** The conditions of a policy: names are resolved along the relations. Only type-checked, never run. */

import { type builtInUsers, extendUsers } from "#runtime/data/users/index";
import {
  ago,
  and,
  between,
  caller,
  callerColumn,
  contains,
  defineCondition,
  definePolicy,
  eq,
  exists,
  field,
  fromNow,
  gte,
  isIn,
  isNull,
  like,
  lte,
  not,
  now,
  or,
  overlaps,
} from "#runtime/models/access/index";
import { defineModel } from "#runtime/models/index";

// biome-ignore format: many a line
const plain = {
  typeName: "T", table: "t", slug: "t", id: "bigint", softDelete: false, maxLimit: 10, uniqueKeys: [],
  foreignKeys: [],
} as const;

// biome-ignore format: many a line
const tasks = defineModel({
  ...plain, key: "tasks",
  fields: {
    title: { kind: "string" }, due_on: { kind: "date" }, labels: { kind: "string[]" },
    watchers: { kind: "integer[]" }, pin: { kind: "password" }, project_id: { kind: "bigint" },
    parent_id: { kind: "bigint" }, assignee_id: { kind: "bigint" }, reporter_id: { kind: "bigint" },
  },
  relations: {
    project: { kind: "belongs_to", field: "project_id", model: "projects", references: "id" },
    parent: { kind: "belongs_to", field: "parent_id", model: "tasks", references: "id" },
    approval: { kind: "has_one", field: "id", model: "approvals", references: "task_id" },
    comments: { kind: "has_many", field: "id", model: "comments", references: "task_id" },
  },
});

const projects = defineModel({
  ...plain,
  key: "projects",
  fields: { name: { kind: "string" }, tags: { kind: "text[]" }, organisation_id: { kind: "bigint" } },
  relations: {
    organisation: { kind: "belongs_to", field: "organisation_id", model: "organisations", references: "id" },
    tasks: { kind: "has_many", field: "id", model: "tasks", references: "project_id" },
  },
});

const organisations = defineModel({
  ...plain,
  key: "organisations",
  fields: { owner_id: { kind: "bigint" }, plan: { kind: "string" }, secret: { kind: "password" } },
  relations: {
    memberships: { kind: "has_many", field: "id", model: "memberships", references: "organisation_id" },
  },
});

const memberships = defineModel({
  ...plain,
  key: "memberships",
  fields: { user_id: { kind: "bigint" }, role: { kind: "string" }, since: { kind: "datetime" } },
  relations: {},
});

const approvals = defineModel({
  ...plain,
  key: "approvals",
  fields: { approved_at: { kind: "datetime" } },
  relations: {},
});

const users = extendUsers({
  fields: { team: { kind: "string", nullable: true }, skills: { kind: "string[]" } },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

interface Way {
  approvals: typeof approvals;
  memberships: typeof memberships;
  organisations: typeof organisations;
  projects: typeof projects;
  users: typeof users;
}

// biome-ignore format: many a line
const closed = {
  search: {}, count: {}, exists: {}, create: {}, update: {}, upsert: {}, delete: {}, destroy: {}, restore: {},
  fields: {},
} as const;

export const own = definePolicy<typeof tasks>({
  ...closed,
  fetch: {
    a: and(eq("assignee_id", caller.user_id), not(like("title", "draft%"))),
    b: or(isNull("due_on"), between("due_on", ago(2, "day"), fromNow(2, "day"))),
    c: eq("assignee_id", field("reporter_id")),
    d: isIn("id", [1, 2, 3]),
    e: gte("created_at", now),
    toString: eq("title", "a"),
  },
  update: { a: and(eq("parent.title", "a"), eq("parent.parent.id", field("parent_id"))) },
  delete: { a: exists("parent.parent", eq("title", field("this.title"))) },
});

export const overRelations = definePolicy<typeof tasks, Way>({
  ...closed,
  fetch: {
    owner: eq("project.organisation.owner_id", caller.user_id),
    member: exists(
      "project.organisation.memberships",
      and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"]), lte("since", now)),
    ),
    any: exists("project.organisation.memberships"),
    none: not(exists("project.tasks", eq("assignee_id", field("this.assignee_id")))),
    deep: exists("project.organisation", exists("memberships", eq("this.reporter_id", field("user_id")))),
    fromRow: exists("project.organisation.memberships", exists("this.project.tasks", eq("title", "a"))),
    approved: isNull("approval.approved_at"),
    team: and(eq("title", callerColumn("team")), eq(callerColumn("is_active"), true)),
    teams: isIn(callerColumn("team"), ["a", callerColumn("role")]),
    within: exists("project.organisation.memberships", eq("role", callerColumn("role"))),
  },
});

export const lists = definePolicy<typeof tasks, Way>({
  ...closed,
  fetch: {
    a: contains("labels", "urgent"),
    b: overlaps("watchers", [1, caller.user_id]),
    c: and(contains("project.tags", callerColumn("team")), not(contains(callerColumn("skills"), "a"))),
    d: exists("project.tasks", contains("this.labels", "a")),
    e: isNull("labels"),
    // @ts-expect-error no list
    f: contains("title", "a"),
    // @ts-expect-error nor at the end of a path
    g: overlaps("project.name", ["a"]),
    // @ts-expect-error nor is a column of the server
    h: contains("created_at", now),
    // @ts-expect-error nor one of the caller
    i: contains(callerColumn("team"), "a"),
    // @ts-expect-error no field at all
    j: contains("label", "a"),
    // @ts-expect-error another field is not a value
    k: contains("labels", field("title")),
  },
});

export const builtInColumns = definePolicy<typeof tasks, { users: typeof builtInUsers }>({
  ...closed,
  fetch: { a: eq(callerColumn("is_verified"), true) },
});

export const missing = definePolicy<typeof tasks, Way>({
  ...closed,
  fetch: {
    // @ts-expect-error tasks has no such field
    a: eq("titel", "a"),
    // @ts-expect-error nor on the right
    b: eq("title", field("titel")),
    // @ts-expect-error nor has a claim such a name
    c: eq("title", caller.team),
    // @ts-expect-error tasks has no such relation
    d: eq("projct.name", "a"),
    // @ts-expect-error projects has no such field
    e: eq("project.titel", "a"),
    // @ts-expect-error organisations has no such field, two relations away
    f: eq("project.organisation.title", "a"),
    // @ts-expect-error however deep it stands
    g: and(eq("title", "a"), or(eq("title", "b"), not(eq("project.titel", "a")))),
    // @ts-expect-error a relation is not a field
    h: eq("project", 1),
    // @ts-expect-error a field is not a relation
    i: eq("title.project", 1),
    // @ts-expect-error a password cannot be compared
    j: eq("pin", "1234"),
    // @ts-expect-error nor with one at the end of a path
    k: eq("title", field("project.organisation.secret")),
    // @ts-expect-error each end of a range
    l: between("due_on", now, field("created_at")),
    // @ts-expect-error names that every object has are not fields
    m: eq("constructor", "a"),
    // @ts-expect-error nor relations
    n: eq("toString.id", 1),
    // @ts-expect-error a role with the name of what every object has
    toString: eq("titel", "a"),
  },
});

export const many = definePolicy<typeof tasks, Way>({
  ...closed,
  fetch: {
    // @ts-expect-error a plain path leads to one row
    a: eq("project.tasks.title", "a"),
    // @ts-expect-error also on the right
    b: eq("title", field("project.organisation.memberships.role")),
    // @ts-expect-error and at its beginning
    c: eq("comments.id", 1),
  },
});

export const inExists = definePolicy<typeof tasks, Way>({
  ...closed,
  fetch: {
    // @ts-expect-error there is no such relation
    a: exists("project.organisation.members"),
    // @ts-expect-error EXISTS leads to rows, not to a field
    b: exists("project.name"),
    // @ts-expect-error the fields are those of memberships
    c: exists("project.organisation.memberships", eq("title", "a")),
    // @ts-expect-error so are the relations
    d: exists("project.organisation.memberships", eq("project.name", "a")),
    // @ts-expect-error the relations of an EXISTS within
    e: exists("project.organisation", exists("project")),
    // @ts-expect-error `this` is the row whose rule it is
    f: exists("project.organisation.memberships", eq("this.role", "a")),
    // @ts-expect-error at any depth
    g: exists("project", exists("organisation.memberships", eq("user_id", field("this.owner_id")))),
    // @ts-expect-error paths from it are looked up as well
    h: exists("project", exists("this.project.organisations")),
    // @ts-expect-error outside of EXISTS nothing is called `this`
    i: eq("this.title", "a"),
    // @ts-expect-error several parts, one of them wrong
    j: exists("project.organisation.memberships", and(eq("user_id", 1), or(eq("rol", "a")))),
  },
});

export const wrongColumns = definePolicy<typeof tasks, Way>({
  ...closed,
  fetch: {
    // @ts-expect-error users have no such column
    a: eq("title", callerColumn("tem")),
    // @ts-expect-error on the left neither
    b: eq(callerColumn("tem"), "a"),
    // @ts-expect-error in a list neither
    c: isIn("title", ["a", callerColumn("tem")]),
    // @ts-expect-error nor within EXISTS
    d: exists("project", eq("name", callerColumn("tem"))),
    // @ts-expect-error no rule compares with a password
    e: eq("title", callerColumn("password")),
  },
});

export const withoutThem = definePolicy<typeof tasks>({
  ...closed,
  fetch: {
    // @ts-expect-error the model of the relation is not among those on the way
    a: eq("project.name", "a"),
    // @ts-expect-error nor is that of an EXISTS
    b: exists("comments"),
    // @ts-expect-error nor are the accounts
    c: eq("title", callerColumn("team")),
  },
});

const elsewhere = eq("titel", "a");

export const builtElsewhere = definePolicy<typeof tasks, Way>({
  ...closed,
  fetch: {
    // @ts-expect-error its names are not validated
    a: elsewhere,
    // @ts-expect-error in a part of another condition neither
    b: and(eq("title", "a"), elsewhere),
    // @ts-expect-error in an EXISTS neither
    c: exists("project", elsewhere),
  },
});

const odd = defineModel({
  ...plain,
  key: "odd",
  fields: { this_id: { kind: "bigint" }, title: { kind: "string" } },
  relations: { this: { kind: "belongs_to", field: "this_id", model: "projects", references: "id" } },
});

export const calledThis = definePolicy<typeof odd, Way>({
  ...closed,
  fetch: {
    a: eq("this.name", "a"),
    b: exists("this", eq("this.title", "a")),
    // @ts-expect-error within EXISTS it is the row
    c: exists("this", eq("this.name", "a")),
    // @ts-expect-error the way to the relation of that name is through the row
    d: exists("this.organisation", eq("this.organisation_id", 1)),
  },
});

const member = defineCondition<typeof organisations, Way>(
  exists("memberships", eq("user_id", caller.user_id)),
);
const busy = defineCondition<typeof tasks, Way>(eq("title", "busy"));

export const calls = definePolicy<typeof tasks, Way>({
  ...closed,
  fetch: {
    a: member("project.organisation"),
    b: and(eq("title", "a"), or(not(member("project.organisation")), eq("title", "b"))),
    c: exists("project", member("organisation")),
    d: exists("project.tasks", member("this.project.organisation")),
    e: exists("project.organisation", member()),
    f: exists("project.tasks", or(busy(), busy("this"))),
    g: busy("parent.parent"),
    h: busy(),
    // @ts-expect-error projects is not organisations
    i: member("project"),
    // @ts-expect-error tasks is not organisations
    j: member(),
    // @ts-expect-error tasks has no relation organisation
    k: member("organisation"),
    // @ts-expect-error projects has no relation organisations
    l: member("project.organisations"),
    // @ts-expect-error outside of EXISTS nothing is called `this`
    m: member("this.project.organisation"),
    // @ts-expect-error within EXISTS the path begins at its rows
    n: exists("project", member("project.organisation")),
    // @ts-expect-error a path from `this` is looked up as well
    o: exists("project", member("this.organisation")),
    // @ts-expect-error `this` is the row of the rule
    p: exists("project.organisation", member("this")),
    // @ts-expect-error tasks of projects has many rows, which EXISTS asks for
    q: busy("project.tasks"),
    // @ts-expect-error in any part
    r: and(eq("title", "a"), or(eq("title", "b"), not(member("project")))),
    // @ts-expect-error one path
    s: busy("parent", "parent"),
  },
});

export const ofOrganisations = definePolicy<typeof organisations, Way>({
  ...closed,
  fetch: {
    a: member(),
    // @ts-expect-error organisations is not tasks
    b: busy(),
  },
});

export const callsWithoutThem = definePolicy<typeof tasks>({
  ...closed,
  fetch: {
    // @ts-expect-error projects is not among the models on the way
    a: member("project.organisation"),
  },
});

export const callingDefinition = defineCondition<typeof projects, Way & { tasks: typeof tasks }>(
  and(member("organisation"), exists("tasks", busy())),
);
// @ts-expect-error projects has no field titel
export const wrongDefinition = defineCondition<typeof projects, Way>(eq("titel", "a"));
// @ts-expect-error projects is not organisations
export const wrongCallInDefinition = defineCondition<typeof projects, Way>(member());
