import { beforeAll, describe, expect, it } from "vitest";
import { keysetValues, selectKeyset } from "#runtime/data/sql/index";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { model, tablesOf } from "../../../support/model-service.ts";

const scores = model("scores", { score: "integer?", rare: "integer?" });
const guest = { user_id: null, role: "guest", email: null };

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  // Most scores are NULL, so that a page can lie among them, or half in them.
  await db.query(`${tablesOf([scores])}
    insert into scores (id, score, rare) select n, case when n % 10 = 0 then n / 20 end, n / 7
      from (select n from generate_series(1, 50000) n order by md5(n::text)) as shuffled;
    create index on scores (score, id);
    create index on scores (rare);
    analyze scores;`);
});

interface Node {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Node[];
}

/** How many rows a page reads from its table, and by which nodes. */
async function readBy(
  orderBy: string,
  descending: boolean,
  edge: "none" | "null" | "value",
  values: [string, string | null],
  plans: "force_custom_plan" | "force_generic_plan",
) {
  const page = {
    model: scores,
    models: new Map(),
    filters: [],
    scope: { kind: "all" } as const,
    searchIn: [],
  };
  const { statement, bind } = selectKeyset({
    ...page,
    orderBy,
    descending,
    edge,
    limit: 21,
    columns: ["score"],
  });
  const [id, value] = values;
  const bound = bind(keysetValues(edge === "none" ? null : { id, value }, 21), guest);
  await db.query(`set plan_cache_mode = ${plans}; deallocate all; prepare page as ${statement.text}`);
  const literals = bound.map((one) => (one === null ? "null" : `'${one}'`)).join(", ");
  const [row] = await db.query(`explain (analyze, format json) execute page${literals && `(${literals})`}`);
  const [explained]: [{ Plan: Node }] = JSON.parse(JSON.stringify(row?.["QUERY PLAN"]));
  const scans = nodesOf(explained.Plan).filter(
    (node) => node["Node Type"].includes("Scan") && node.Plans === undefined,
  );
  const tables = scans.filter((node) => !["CTE Scan", "Subquery Scan"].includes(node["Node Type"]));
  const read = tables.map(
    (node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
  );
  return {
    by: [...new Set(tables.map((node) => node["Node Type"]))],
    rows: read.reduce((sum, one) => sum + one, 0),
  };
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

// biome-ignore format: one case a line
const positions: [string, string, boolean, "none" | "null" | "value", [string, string | null]][] = [
  ["the first page", "score", false, "none", ["", null]],
  ["the last page", "score", true, "none", ["", null]],
  ["after a value", "score", false, "value", ["20000", "1000"]],
  ["before a value", "score", true, "value", ["20000", "1000"]],
  ["from values into NULLs", "score", false, "value", ["49900", "2495"]],
  ["among NULLs", "score", false, "null", ["25001", null]],
  ["among NULLs, in descending order", "score", true, "null", ["25001", null]],
  ["from NULLs into values", "score", true, "null", ["9", null]],
  ["by id", "id", false, "value", ["25000", null]],
];

describe.each(["force_custom_plan", "force_generic_plan"] as const)("with %s", (plans) => {
  it.each(positions)("%s reads at most limit + 1 entries of the index", async (_, ...given) => {
    const { by, rows } = await readBy(...given, plans);
    expect(by.filter((name) => !/^(Bitmap )?Index (Only )?Scan/.test(name))).toEqual([]);
    expect(rows).toBeLessThanOrEqual(21);
    expect(rows).toBeGreaterThan(0);
  });
});

it("an index without the id reads the ties of the edge too", async () => {
  const { by, rows } = await readBy("rare", false, "value", ["25000", "3571"], "force_custom_plan");
  expect(by).not.toContain("Seq Scan");
  expect(rows).toBeLessThanOrEqual(21 + 14);
});
