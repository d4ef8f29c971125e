import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { isFinding } from "#generator/diagnostics/catalogue";
import type { Service } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { project, repository } from "../generator/support/project.ts";
import { exampleApp } from "../support/example-apps.ts";
import type { Caller } from "../support/service-token.ts";

const page = readFileSync(join(repository, "docs/access-rules.md"), "utf8");
const [, section = ""] = /^## Recipes\n([\s\S]*?)^## /m.exec(page) ?? [];
const recipes = section.split(/^### /m).slice(1);
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

const { root, generate, read, write } = project(models);
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

const done = expect.objectContaining({});

/** What a recipe is for: who sees which rows of a model, and what comes of requests. */
interface Play {
  readonly sees?: readonly [Person, string, readonly number[] | string][];
  readonly asks?: readonly [Person, string, Json, unknown][];
}

// biome-ignore format: many a line
const plays: Readonly<Record<string, Play>> = {
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

test("what the page shows of the matrix stands in it", () => {
  const shown = page.match(/^tasks\S* .*$/gm) ?? [];
  const matrix = read("generated/access-matrix.txt").split("\n");
  expect(shown.length).toBeGreaterThan(1);
  expect(matrix).toEqual(expect.arrayContaining(shown));
});

test("what the page shows of a missing index is what lint says", async () => {
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
