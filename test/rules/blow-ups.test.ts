import { beforeAll, describe, expect, it } from "vitest";
import { compileCondition } from "#generator/conditions/index";
import type { ModelGraph } from "#generator/resolve/model-graph";
import { conditionScope } from "#generator/resolve/scope-of-model";
import { admittedBy } from "./support/admitted.ts";
import { graphOf } from "./support/graph-of.ts";
import type { Shapes } from "./support/shapes.ts";
import { type RuleWorld, worldOf } from "./support/world.ts";

/** Nodes with parents, children and users: paths of any length. */
// biome-ignore format: one case a line
const shapes: Shapes = { nodes: { key: "nodes",
    id: "bigint",
    softDelete: true,
    fields: { code: "string", name: "string", amount: "integer", up_id: "bigint", keeper: "bigint" },
    links: { up: { kind: "belongs_to", field: "up_id", model: "nodes", references: "id" },
      keeper: { kind: "belongs_to", field: "keeper", model: "users", references: "id" },
      below: { kind: "has_many", field: "id", model: "nodes", references: "up_id" } },
  },
  users: { key: "users", id: "bigint", softDelete: false, fields: { role: "string", is_active: "boolean", is_verified: "boolean", team: "string" },
    links: {} },
};

describe("conditions that are large", () => {
  let world: RuleWorld;
  let graph: ModelGraph;

  beforeAll(async () => {
    world = await worldOf(shapes, { nodes: [], users: [] });
    graph = await graphOf(shapes);
    await world.db.query(`insert into nodes (id, code, name, up_id)
      select n, 'k' || n, 'a', nullif(n / 3, 0) from generate_series(1, 3000) as n; analyze nodes`);
  });

  function compiled(text: string) {
    const node = graph.get("nodes");
    if (node === undefined) throw new Error("there are no nodes");
    return compileCondition(text, conditionScope(graph, node));
  }

  const times = (text: string, count: number) => text.repeat(count);

  const endless: readonly [string, string][] = [
    ["parentheses", `${times("(", 50_000)}name = 'a'${times(")", 50_000)}`],
    ["parentheses that never close", times("(", 50_000)],
    ["NOT", `${times("NOT ", 50_000)}name = 'a'`],
    ["EXISTS", `${times("EXISTS (below WHERE ", 20_000)}name = 'a'${times(")", 20_000)}`],
    ["AND", `name = 'a'${times(" AND name = 'a'", 20_000)} AND EXISTS (below)`],
    ["a list", `name IN ('a'${times(", 'a'", 50_000)}) AND EXISTS (below)`],
    ["a path", `${times("up.", 50_000)}name = 'a'`],
    ["a name", `${times("a", 200_000)} = 'a'`],
    ["dots", times(".", 100_000)],
    ["blanks", `name${times(" ", 200_000)}= 'a' AND up.up.name = ''`],
    ["quotes", times("'", 100_001)],
    ["a string that never ends", `name = '${times("a", 200_000)}`],
    ["a number", `amount = ${times("9", 100_000)}`],
    ["a sign", `amount = ${times("-", 100_000)}1`],
    ["a span of time", `created_at > now() - interval '${times("1", 100_000)} days'`],
    ["a span with blanks", `created_at > now() - interval '${times(" ", 100_000)}x'`],
    ["braces", times("{", 100_000)],
    ["a column of the caller", `{user.${times("a", 100_000)}} = 'a'`],
    ["a pattern", `name LIKE '${times("%_", 100_000)}'`],
  ];

  it.each(endless)("of endless %s: a problem", (_, text) => {
    const { condition, problems } = compiled(text);
    expect(condition).toBeNull();
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems).length).toBeLessThan(5_000_000);
  });

  const path = (count: number) => Array.from({ length: count }, () => "up").join(".");
  const below = (count: number) => Array.from({ length: count }, () => "below").join(".");
  // biome-ignore format: one case a line
  const largest: readonly [string, string][] = [
    ["one path after the other", [6, 6, 4].map((n) => `${path(n)}.name = 'a'`).join(" AND ")],
    ["paths that are not true", [6, 6, 4].map((n) => `NOT (${path(n)}.name = 'a')`).join(" OR ")],
    ["EXISTS in EXISTS", `EXISTS (${below(6)} WHERE EXISTS (${path(5)}.below WHERE NOT EXISTS (${path(3)}.keeper)))`],
    ["EXISTS and EXISTS", `${times(`EXISTS (up WHERE keeper = {user_id}) AND `, 15)}EXISTS (below)`],
    ["NOT EXISTS and NOT EXISTS", `${times(`NOT EXISTS (below WHERE keeper = {user_id}) AND `, 15)}NOT EXISTS (up)`],
  ];

  it.each(largest)("of 16 relations, %s: PostgreSQL plans it soon", async (_, text) => {
    const { condition, problems } = compiled(text);
    expect(problems).toEqual([]);
    if (condition === null) throw new Error("nothing was compiled");
    await admittedBy(world, { model: "nodes", caller: { user_id: "1", role: "a", email: null } }, condition);
  });
});
