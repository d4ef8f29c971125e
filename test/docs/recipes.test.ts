import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { isFinding } from "#generator/diagnostics/catalogue";
import type { Service } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { project, repository } from "../generator/support/project.ts";
import { exampleApp } from "../support/example-apps.ts";
import type { Caller } from "../support/service-token.ts";

const page = readFileSync(join(repository, "docs/access-recipes.md"), "utf8");
const [section = ""] = page.split("## Find the missing index");
const recipes = section.split(/^## /m).slice(1);
const titles = recipes.map((recipe) => recipe.slice(0, recipe.indexOf("\n")));
const models = recipes.map(modelsIn).reduce(merged, {});

type Block = Readonly<Record<string, unknown>>;

function modelsIn(recipe: string): Block {
  const [, text = ""] = /^```json\n([\s\S]*?)^```$/m.exec(recipe) ?? [];
  const block: Block = JSON.parse(text);
  return block;
}

function merged(one: Block, other: Block): Block {
  const both = Object.entries(other).map(([key, value]) => {
    const there = one[key];
    return [key, isBlock(there) && isBlock(value) ? merged(there, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}

function isBlock(value: unknown): value is Block {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const { root, generate, write } = project(models);
const made = await generate({ compile: true });
const linted = await generate({ mode: "lint" });
const { service }: { service: Service } = await import(join(root, "generated/index.ts"));
const { ask, store, query } = await exampleApp(service);

const caller = (sub: number): Caller => ({ role: "user", sub: String(sub), email: `${sub}@example.com` });

/** Of the first tenant an owner, an admin, two members and a former one; of the second an owner. */
// biome-ignore format: many a line
const people = {
  owner: caller(1), admin: caller(2), member: caller(3), mate: caller(4), former: caller(5),
  stranger: caller(6), operator: { role: "admin", sub: "7" }, guest: null,
};

type Person = keyof typeof people;

const as = (person: Person, request: string, body?: Json) => ask(people[person], request, body);
const denied = "403 PERMISSION_DENIED";
const past = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const membership = (user_id: number, role: string, organisation_id = 1) => ({
  organisation_id,
  user_id,
  role,
});

// biome-ignore format: many a line
beforeEach(() =>
  store({
    teams: [{ id: 1, name: "A" }, { id: 2, name: "B" }],
    users: [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, email: `${id}@example.com`, team_id: { 3: 1, 6: 2 }[id] ?? null })),
    notes: [{ id: 1, owner_id: 3, text: "Mine" }, { id: 2, owner_id: 6, text: "Of a stranger" }],
    documents: [{ id: 1, owner_id: 3, title: "Mine" }, { id: 2, owner_id: 6, title: "Of a stranger" }],
    articles: [
      { id: 1, author_id: 3, title: "Out", status: "published", published_at: past(5) },
      { id: 2, author_id: 3, title: "Soon", status: "published", published_at: past(-5) },
      { id: 3, author_id: 3, title: "Draft" },
    ],
    organisations: [{ id: 1, name: "One" }, { id: 2, name: "Two" }],
    memberships: [
      { id: 1, ...membership(1, "owner") }, { id: 2, ...membership(2, "admin") },
      { id: 3, ...membership(3, "member") }, { id: 4, ...membership(4, "member") },
      { id: 5, ...membership(5, "admin"), deleted_at: past(5) }, { id: 6, ...membership(6, "owner", 2) },
    ],
    projects: [{ id: 1, organisation_id: 1, name: "First" }, { id: 2, organisation_id: 2, name: "Second" }],
    tasks: [
      { id: 1, project_id: 1, title: "Open", assignee_id: 3 },
      { id: 2, project_id: 2, title: "Elsewhere", assignee_id: 6 },
      { id: 3, project_id: 1, title: "Done", status: "done", assignee_id: 3 },
    ],
    comments: [
      { id: 1, task_id: 1, author_id: 3, body: "New", created_at: past(1) },
      { id: 2, task_id: 1, author_id: 3, body: "Old", created_at: past(16) },
    ],
    reports: [{ id: 1, team_id: 1, title: "A" }, { id: 2, team_id: 2, title: "B" }],
    expenses: [
      { id: 1, spender_id: 3, organisation_id: 1, cents: 100 },
      { id: 2, spender_id: 2, organisation_id: 1, cents: 100 },
      { id: 3, spender_id: 3, organisation_id: 1, cents: 100 },
    ],
    approvals: [{ id: 1, expense_id: 3, approver_id: 1 }], rooms: [{ id: 1, name: "Blue" }],
    bookings: [
      { id: 1, room_id: 1, owner_id: 3, starts_at: "2030-01-01T10:00Z", ends_at: "2030-01-01T11:00Z" },
    ],
    posts: [{ id: 1, author_id: 3, text: "Hello" }], blocks: [{ id: 1, post_id: 1, user_id: 4 }],
  }),
);

/** What a person sees of a model, over REST and GraphQL. */
async function sees(person: Person, model: string): Promise<Json> {
  const rows = await as(person, `GET /${model}/fetch?select_fields=id&order_by=id`);
  const joined = await as(person, `{ ${model}(orderBy: id) { id } }`);
  expect(joined).toEqual(rows === denied ? denied : { [model]: rows });
  const ids = Array.isArray(rows) ? rows.map((row) => Object(row).id) : rows;
  if (Array.isArray(ids)) expect(await as(person, `GET /${model}/count`)).toEqual({ count: ids.length });
  return ids;
}

const change = (id: number, data: Record<string, Json>) => ({ where: { id }, data });
const done = expect.objectContaining({});

/** The purpose of a recipe: which users see which rows of a model, and the results of requests. */
interface Play {
  readonly sees?: readonly [Person, string, readonly number[] | string][];
  readonly asks?: readonly [Person, string, Json, unknown][];
}

// biome-ignore format: many a line
const plays: Readonly<Record<string, Play>> = {
  "Each user's own rows": {
    sees: [["member", "notes", [1]], ["stranger", "notes", [2]], ["guest", "notes", denied]],
    asks: [
      ["member", "POST /notes/create", { data: { owner_id: 3, text: "a" } }, done],
      ["member", "POST /notes/create", { data: { owner_id: 4, text: "a" } }, denied],
      ["member", "PUT /notes/update", change(1, { text: "a" }), done],
      ["member", "PUT /notes/update", change(1, { owner_id: 4 }), denied],
      ["mate", "PUT /notes/update", change(1, { text: "a" }), denied],
      ["mate", "DELETE /notes/delete", { ids: [1] }, denied],
    ],
  },
  "The creator owns the row": {
    sees: [["member", "documents", [1]], ["operator", "documents", [1, 2]], ["guest", "documents", denied]],
    asks: [
      ["member", "POST /documents/create", { data: { title: "a" } }, expect.objectContaining({ owner_id: 3 })],
      ["member", "POST /documents/create", { data: { title: "a", owner_id: 3 } }, denied],
      ["member", "PUT /documents/update", change(1, { owner_id: 4 }), denied],
      ["mate", "PUT /documents/update", change(1, { title: "a" }), denied],
      ["operator", "POST /documents/create", { data: { title: "a" } }, expect.objectContaining({ owner_id: 7 })],
      ["operator", "POST /documents/create", { data: { title: "a", owner_id: 4 } }, expect.objectContaining({ owner_id: 4 })],
      ["operator", "PUT /documents/update", change(1, { owner_id: 4 }), done],
      ["guest", "POST /documents/create", { data: { title: "a" } }, denied],
    ],
  },
  "Published, or mine": {
    sees: [
      ["guest", "articles", [1]], ["mate", "articles", [1]], ["member", "articles", [1, 2, 3]],
      ["operator", "articles", [1, 2, 3]],
    ],
    asks: [
      ["member", "PUT /articles/update", change(3, { title: "a" }), done],
      ["member", "PUT /articles/update", change(3, { status: "published" }), denied],
      ["member", "PUT /articles/update", change(1, { title: "a" }), denied],
      ["operator", "PUT /articles/update", change(3, { status: "published" }), done],
      ["member", "POST /articles/create", { data: { author_id: 4, title: "a" } }, denied],
      ["guest", "POST /articles/create", { data: { author_id: 4, title: "a" } }, denied],
    ],
  },
  "Members of a tenant": {
    sees: [
      ["member", "organisations", [1]], ["member", "memberships", [1, 2, 3, 4]], ["member", "projects", [1]],
      ["former", "projects", []], ["stranger", "projects", [2]], ["stranger", "memberships", [6]],
      ["operator", "projects", []], ["guest", "projects", denied],
    ],
  },
  "Owners and admins": {
    asks: [
      ["admin", "POST /projects/create", { data: { organisation_id: 1, name: "a" } }, done],
      ["member", "POST /projects/create", { data: { organisation_id: 1, name: "a" } }, denied],
      ["former", "POST /projects/create", { data: { organisation_id: 1, name: "a" } }, denied],
      ["admin", "POST /projects/create", { data: { organisation_id: 2, name: "a" } }, denied],
      ["admin", "PUT /projects/update", change(1, { organisation_id: 2 }), denied],
      ["owner", "POST /memberships/create", { data: membership(6, "member") }, done],
      ["admin", "POST /memberships/create", { data: membership(6, "member") }, denied],
      ["operator", "POST /memberships/create", { data: membership(7, "owner", 2) }, denied],
      ["owner", "DELETE /memberships/delete", { ids: [3] }, done],
      ["owner", "DELETE /memberships/delete", { ids: [1] }, denied],
      ["owner", "PUT /memberships/upsert", { data: membership(6, "member") }, denied],
    ],
  },
  "Tasks of their projects": {
    sees: [["mate", "tasks", [1, 3]], ["former", "tasks", []], ["stranger", "tasks", [2]]],
    asks: [
      ["member", "POST /tasks/create", { data: { project_id: 1, title: "a", assignee_id: 4 } }, done],
      ["member", "POST /tasks/create", { data: { project_id: 1, title: "a" } }, done],
      ["member", "POST /tasks/create", { data: { project_id: 1, title: "a", assignee_id: 6 } }, denied],
      ["member", "POST /tasks/create", { data: { project_id: 1, title: "a", assignee_id: 5 } }, denied],
      ["member", "POST /tasks/create", { data: { project_id: 2, title: "a" } }, denied],
    ],
  },
  "The assignee, within limits": {
    asks: [
      ["member", "PUT /tasks/update", change(1, { title: "a" }), done],
      ["member", "PUT /tasks/update", change(1, { status: "done" }), denied],
      ["member", "PUT /tasks/update", change(1, { assignee_id: 4 }), denied],
      ["member", "PUT /tasks/update", change(3, { title: "a" }), denied],
      ["mate", "PUT /tasks/update", change(1, { title: "a" }), denied],
      ["admin", "PUT /tasks/update", change(1, { status: "done" }), done],
      ["stranger", "PUT /tasks/update", change(1, { title: "a" }), denied],
    ],
  },
  "A team": {
    sees: [["member", "reports", [1]], ["stranger", "reports", [2]], ["mate", "reports", []]],
    asks: [
      ["member", "POST /reports/create", { data: { team_id: 1, title: "a" } }, done],
      ["member", "POST /reports/create", { data: { team_id: 2, title: "a" } }, denied],
      ["mate", "POST /reports/create", { data: { team_id: 1, title: "a" } }, denied],
    ],
  },
  "Within 15 minutes": {
    sees: [["mate", "comments", [1, 2]], ["stranger", "comments", []]],
    asks: [
      ["member", "PUT /comments/update", change(1, { body: "a" }), done],
      ["member", "PUT /comments/update", change(2, { body: "a" }), denied],
      ["mate", "PUT /comments/update", change(1, { body: "a" }), denied],
      ["member", "PUT /comments/update", change(1, { task_id: 2 }), denied],
      ["stranger", "POST /comments/create", { data: { task_id: 1, author_id: 6, body: "a" } }, denied],
    ],
  },
  "Not after approval": {
    sees: [
      ["member", "expenses", [1, 3]], ["admin", "expenses", [1, 2, 3]], ["mate", "expenses", []],
      ["stranger", "expenses", []],
    ],
    asks: [
      ["member", "PUT /expenses/update", change(1, { cents: 1 }), done],
      ["member", "PUT /expenses/update", change(3, { cents: 1 }), denied],
      ["admin", "PUT /expenses/update", change(1, { cents: 1 }), denied],
      ["admin", "POST /approvals/create", { data: { expense_id: 1, approver_id: 2 } }, done],
      ["admin", "POST /approvals/create", { data: { expense_id: 2, approver_id: 2 } }, denied],
      ["owner", "POST /approvals/create", { data: { expense_id: 2, approver_id: 2 } }, denied],
      ["mate", "POST /approvals/create", { data: { expense_id: 1, approver_id: 4 } }, denied],
      ["stranger", "POST /approvals/create", { data: { expense_id: 1, approver_id: 6 } }, denied],
    ],
  },
  "One at a time": {
    asks: [
      ["mate", "POST /bookings/create", booking(4, 11, 12), done],
      ["mate", "POST /bookings/create", booking(4, 10, 12), denied],
      ["mate", "POST /bookings/create", booking(4, 9, 12), denied],
      ["mate", "POST /bookings/create", booking(4, 13, 12), denied],
      ["member", "PUT /bookings/update", change(1, { ends_at: "2030-01-01T12:00Z" }), done],
      ["mate", "PUT /bookings/update", change(1, { ends_at: "2030-01-01T12:00Z" }), denied],
    ],
  },
  "All users except blocked ones": {
    sees: [["member", "posts", [1]], ["mate", "posts", []], ["guest", "posts", denied]],
    asks: [
      ["mate", "DELETE /blocks/delete", { ids: [1] }, denied],
      ["member", "DELETE /blocks/delete", { ids: [1] }, done],
      ["mate", "POST /blocks/create", { data: { post_id: 1, user_id: 6 } }, denied],
    ],
  },
};

function booking(owner_id: number, from: number, to: number) {
  const at = (hour: number) => `2030-01-01T${String(hour).padStart(2, "0")}:00Z`;
  return { data: { room_id: 1, owner_id, starts_at: at(from), ends_at: at(to) } };
}

test("the excerpt of the matrix in docs/review.md is in the matrix of the tracker", () => {
  const [review = "", matrix = ""] = ["docs/review.md", "examples/tracker/generated/access-matrix.txt"].map(
    (path) => readFileSync(join(repository, path), "utf8"),
  );
  const [, excerpt = ""] = /^## The access matrix\n[\s\S]*?```\n([\s\S]*?)```/m.exec(review) ?? [];
  const parts = excerpt.split(/ *…\n|\n(?=\n)/).filter((part) => part.trim() !== "");
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.filter((part) => !matrix.includes(part.replace(/^\n/, "")))).toEqual([]);
});

test("the page's text on a missing index is lint's message", async () => {
  const { articles, ...others } = models;
  const { indexes, ...unindexed } = Object(articles);
  write("models/models.json", { ...others, articles: unindexed });
  const diagnostics = (await generate({ mode: "lint" })).diagnostics.filter(({ code }) => isFinding(code));
  expect(diagnostics).toHaveLength(1);
  for (const { code, message, hint } of diagnostics)
    expect(page).toContain(`\nlint ${code}: ${message}\n  ${hint}\n`);
});

test("the recipes are models without an error, a warning or a finding, and each is played", () => {
  expect([made.diagnostics, made.problems]).toEqual([[], []]);
  expect(linted.diagnostics.filter(({ code }) => isFinding(code))).toEqual([]);
  expect(titles).toEqual(Object.keys(plays));
});

describe.each(Object.entries(plays))("%s", (_, { sees: seen = [], asks = [] }) => {
  test.each(seen.map((each) => [`${each[0]} sees of ${each[1]}: ${each[2]}`, each] as const))(
    "%s",
    async (_title, [person, model, ids]) => {
      expect(await sees(person, model)).toEqual(ids);
    },
  );

  test.each(asks.map((each) => [`${each[0]}: ${each[1]} ${JSON.stringify(each[2])}`, each] as const))(
    "%s",
    async (_title, [person, request, body, outcome]) => {
      const model = /\/(\w+)\//.exec(request)?.[1] ?? "";
      const rows = () => query(`select * from "${model}" order by id`);
      const before = await rows();
      expect(await as(person, request, body)).toEqual(outcome);
      if (outcome === denied) expect(await rows()).toEqual(before);
      else expect(await rows()).not.toEqual(before);
    },
  );
});

test("a report follows its team at once", async () => {
  await query("update users set team_id = 2 where id = 3");
  expect(await sees("member", "reports")).toEqual([2]);
  await query("update users set is_active = false where id = 3");
  expect(await as("member", "POST /reports/create", { data: { team_id: 2, title: "a" } })).toBe(denied);
});

test("of two bookings of the same hour at the same time one is made", async () => {
  const both = await Promise.all([
    as("mate", "POST /bookings/create", booking(4, 14, 16)),
    as("owner", "POST /bookings/create", booking(1, 15, 17)),
  ]);
  expect(both.filter((answer) => answer === denied)).toHaveLength(1);
});
