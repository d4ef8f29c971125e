import { beforeAll, describe, expect, it } from "vitest";
import { type ExplainedTracker, explainedTracker } from "./tracker.ts";

let tracker: ExplainedTracker;

beforeAll(async () => {
  tracker = await explainedTracker();
  await tracker.service.query(
    `insert into tasks (project_id, title, status, reporter_id, created_at)
     select 1, 'Many ' || n, 'todo', 3, now() - n * interval '1 minute' from generate_series(1, 12000) as n`,
  );
  await tracker.service.query("analyze");
});

const warningsOf = async (request: Parameters<ExplainedTracker["asked"]>[0]) => {
  const { statements } = await tracker.asked({ as: "user:3", plan: true, ...request });
  return statements.flatMap(({ warnings = [] }) => warnings);
};

describe("--sql", () => {
  it("prints the statement of a read with its values", async () => {
    const request = { subject: "tasks.count", as: "user:3", sql: true, where: '{"status":"done"}' };
    expect((await tracker.asked(request)).statements).toMatchInlineSnapshot(`
      [
        {
          "text": "select count(*) from "tasks" as t where ("t"."status" = $1::text) and (exists (select from "projects" as "found00$", "organisations" as "found01$", "memberships" as "found02$" where ("found00$"."id" = "t"."project_id") and ("found00$"."deleted_at" is null) and ("found01$"."id" = "found00$"."organisation_id") and ("found01$"."deleted_at" is null) and ("found02$"."organisation_id" = "found01$"."id") and ("found02$"."deleted_at" is null) and (("found02$"."user_id" = $2::bigint) and ((exists (select from "projects" as "row10$" where ("row10$"."id" = "t"."project_id") and ("row10$"."deleted_at" is null) and ("row10$"."visibility" = 'organisation'::text))) or ("found02$"."user_id" = (select "row10$"."lead_id" from "projects" as "row10$" where ("row10$"."id" = "t"."project_id") and ("row10$"."deleted_at" is null)  )) or ("found02$"."role" in ('owner'::text, 'admin'::text)))))) and ("t"."deleted_at" is null)",
          "values": [
            "done",
            "3",
          ],
        },
      ]
    `);
  });

  it.each([
    ["tasks.create", { data: '{"project_id":1,"title":"T"}' }, "insert into"],
    ["tasks.update", { data: '{"title":"T"}', id: "2" }, "for update"],
    ["tasks.upsert", { data: '{"project_id":1,"reference":"X","title":"T"}' }, "on conflict"],
    ["tasks.delete", { id: "2" }, 'update "tasks"'],
    ["projects.delete", { id: "4" }, "for update"],
  ])("prints and plans the statements of %s, which do not run", async (subject, flags, part) => {
    const before = await tracker.service.query("select count(*), max(id) from tasks");
    const { statements } = await tracker.asked({ subject, as: "user:1", sql: true, plan: true, ...flags });
    expect(statements.map(({ text }) => text).join("\n")).toContain(part);
    expect(statements.every(({ plan = [] }) => plan.length > 0)).toBe(true);
    expect(await tracker.service.query("select count(*), max(id) from tasks")).toEqual(before);
  });
});

describe("--plan", () => {
  it("names the index for a filter, an order, and a row condition", async () => {
    expect(
      await warningsOf({ subject: "tasks.fetch", query: '{"due_on__gt":"2026-01-01"}' }),
    ).toMatchInlineSnapshot(`
      [
        "the filter reads all 12,006 rows of tasks one after another; an index would serve: "indexes": [["due_on"]]",
        "the filter on due_on has no index; an index would serve: "indexes": [["due_on"]]",
      ]
    `);
    expect(
      await warningsOf({ subject: "tasks.fetch", query: '{"status":"todo","order_by":"title"}' }),
    ).toMatchInlineSnapshot(`
      [
        "the filter reads all 12,006 rows of tasks one after another; an index would serve: "indexes": [["status","title"]]",
        "the filter on status has no index; an index would serve: "indexes": [["status","title"]]",
        "the order by title has no index; an index would serve: "indexes": [["status","title"]]",
      ]
    `);
    expect(
      await warningsOf({ subject: "tasks.fetch", query: '{"title__ilike":"x"}' }),
    ).toMatchInlineSnapshot(`
      [
        "the filter reads all 12,006 rows of tasks one after another",
        "the filter title compares a pattern, which only a trigram index serves: docs/migrations.md",
      ]
    `);
    expect(await warningsOf({ subject: "tasks.count" })).toMatchInlineSnapshot(`
      [
        "the row condition reads all 12,006 rows of tasks one after another",
      ]
    `);
    expect(
      await warningsOf({ subject: "tasks.fetch", query: '{"assignee_id":4,"order_by":"status"}' }),
    ).toEqual([]);
    expect(await warningsOf({ subject: "tasks.fetch", id: "1" })).toEqual([]);
  });

  it("warns about a sort that uses the disk, as an estimate and as measured", async () => {
    const request = { subject: "tasks.fetch", as: "user:3", query: '{"order_by":"title","limit":1000}' };
    for (const analyze of [false, true]) {
      const { statements } = await tracker.asked(
        { ...request, plan: true, analyze },
        "set local work_mem = '64kB'",
      );
      expect(statements[0]?.warnings).toContainEqual(
        expect.stringMatching(
          /^the sort by t\.title, t\.id uses the disk; an index would serve: "indexes": \[\["title"\]\]$/,
        ),
      );
    }
  });
});

describe("flags of statements", () => {
  it.each([
    [{ subject: "tasks.fetch", analyze: true }, "--analyze needs --plan"],
    [
      { subject: "tasks.delete", plan: true, analyze: true },
      "--analyze runs the statement, so it is only for reads",
    ],
  ])("%j", async (request, message) => {
    await expect(tracker.asked(request)).rejects.toThrow(message);
  });
});
