import { beforeAll, describe, expect, it } from "vitest";
import { and, caller, callerColumn, eq, isIn, ne } from "#runtime/access/index";
import { change } from "#runtime/sql/change-statement";
import { insertOne } from "#runtime/sql/insert-statement";
import { selectCount, selectPage } from "#runtime/sql/select-statement";
import type { Plan } from "#runtime/sql/sql";
import type { Condition } from "#vocabulary/conditions";
import { found, tenantModels, tenantTables } from "../../hostile/support/tenants.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const model = tenantModels.tasks;
const models = new Map(Object.entries(tenantModels));
const who = { user_id: "77", role: "user", email: null };
const me = caller.user_id;

describe("how PostgreSQL runs conditions over relations, with 50,000 tasks", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
    await db.query(tenantTables);
    await db.query(`
      set session_replication_role = replica;
      insert into users (id, team) select n, 'red' from generate_series(1, 1000) n;
      insert into organisations (id, owner_id) select n, n from generate_series(1, 1000) n;
      insert into memberships (organisation_id, user_id, role) select n, n % 1000 + 1, 'owner' from generate_series(1, 1000) n;
      insert into projects (id, organisation_id) select n, n % 1000 + 1 from generate_series(1, 5000) n;
      insert into tasks (project_id, assignee_id) select n % 5000 + 1, n % 1000 + 1 from generate_series(1, 50000) n;
      analyze;`);
  });

  async function explained(plan: Plan, values: readonly (string | number | null)[]): Promise<string> {
    const rows = await db.query(`explain ${plan.statement.text}`, plan.bind(values, who));
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  const rowsOf = (when: Condition) => ({
    model,
    models,
    filters: [],
    scope: { kind: "some", when } as const,
    searchIn: [],
  });

  // biome-ignore format: one case a line
  const conditions: [string, Condition][] = [
    ["over belongs_to relations", eq("project.organisation.owner_id", me)],
    ["EXISTS over a has_many", found("project.organisation.memberships", and(eq("user_id", me), isIn("role", ["owner", "admin"])))],
  ];

  it.each(conditions)("%s: reads begin at the rows of the caller, writes at their own", async (_, when) => {
    const rows = rowsOf(when);
    const order = { orderBy: "id", descending: false };
    // biome-ignore format: one case a line
    const plans: [Plan, (string | number | null)[]][] = [
      [selectCount(rows), []],
      [selectPage({ ...rows, ...order, columns: ["id"], limit: 20, offset: 0, total: true }), [20, 0]],
      [insertOne(model, models, rows.scope, ["id"]), [1, null, 1, 1, "c", "t", null, null]],
      [change({ ...rows, fetches: rows.scope, target: { by: "ids" }, write: { kind: "update", fields: ["title"] }, sees: "live", locked: false }),
        ["{7}", 1, "x"]],
    ];
    for (const [plan, values] of plans) expect(await explained(plan, values)).not.toMatch(/Seq Scan/);
  });

  it("a column of the caller is looked up once, not for each row", async () => {
    const when = and(eq("assignee.team", callerColumn("team")), ne(callerColumn("role"), "guest"));
    const plan = await explained(selectCount(rowsOf(when)), []);
    expect(plan.match(/^ *InitPlan/gm)).toHaveLength(2);
    expect(plan).not.toMatch(/SubPlan/);
  });
});
