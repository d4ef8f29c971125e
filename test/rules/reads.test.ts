import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#vocabulary/json";
import { admittedRows, isLive } from "./support/admitted.ts";
import { shrunk } from "./support/drawn.ts";
import { type RuleCase, ruleCases } from "./support/random-case.ts";
import type { Held, Row } from "./support/rows.ts";
import { type RuleService, ruleService } from "./support/rule-service.ts";
import { treeOf } from "./support/rule-tree.ts";
import { type Link, shapeOf } from "./support/shapes.ts";
import { type RuleWorld, ruleWorld } from "./support/world.ts";

const open = { fetch: { "*": true } } as const;
const everything = "limit=100&select_fields=id";

describe("random conditions over relations, on every way to read", () => {
  let world: RuleWorld;
  let service: RuleService;

  beforeAll(async () => {
    world = await ruleWorld(3);
    service = await ruleService(world);
  });

  /** The model's rows are read under the condition, all other models are open to everybody. */
  function setRules({ model, rule, also }: RuleCase): void {
    const shape = shapeOf(world.shapes, model);
    const tree = treeOf(rule, world.shapes, shape);
    const rules = { "*": tree, ...(also !== null && { a: treeOf(also, world.shapes, shape) }) };
    const others = Object.keys(world.shapes).map((key) => [key, open] as const);
    const own = { fetch: rules, search: rules, count: "as fetch", exists: "as fetch" } as const;
    service.setRules({ ...Object.fromEntries(others), [model]: own });
  }

  const get = async (path: string, { caller }: RuleCase): Promise<Json> => {
    const { status, text, envelope } = await service.send({ method: "GET", path }, caller);
    expect(status, text).toBe(200);
    return envelope.data;
  };

  it("over REST", async () => {
    await fc.assert(
      fc.asyncProperty(ruleCases(world.shapes), async (one) => {
        setRules(one);
        const { model } = one;
        const rows = admittedRows(world, one).filter(isLive);
        const named = rows.filter((row) => String(row["name"] ?? "").includes("a"));
        const first = world.tables[model]?.[0]?.["id"];
        expect({
          fetch: await get(`/${model}/fetch?${everything}`, one),
          search: await get(`/${model}/search?search_term=A&${everything}`, one),
          count: await get(`/${model}/count`, one),
          exists: await get(`/${model}/exists?id=${first}`, one),
        }).toEqual({
          fetch: idsOf(rows),
          search: idsOf(named),
          count: { count: rows.length },
          exists: { exists: rows.some(({ id }) => id === first) },
        });
      }),
      shrunk(40),
    );
  });

  // biome-ignore format: one case a line
  it.each([
    "1e3", " 1", "1 ", "+1", "01x", "0x1", "1.0", "12345678901234567890", "-9223372036854775809", "\u0663", "abc",
  ])("who calls himself %j has no row in users", async (user_id) => {
    const left = { is: "user", column: "is_active", kind: "boolean" } as const;
    const caller = { user_id, role: "b", email: "" };
    const known = { model: "alphas", rule: { is: "null", not: true, left }, also: null, caller } as const;
    setRules(known);
    expect(await get("/alphas/count", known)).toEqual({ count: 0 });
    expect(await get("/alphas/count", { ...known, caller: { ...caller, user_id: "1" } })).not.toEqual({ count: 0,
    });
  });

  it("over GraphQL: lists, joins and aggregates", async () => {
    await fc.assert(
      fc.asyncProperty(ruleCases(world.shapes), async (one) => {
        setRules(one);
        const rows = admittedRows(world, one).filter(isLive);
        const body = { query: documentOf(world, one.model) };
        const { status, text, envelope } = await service.send(
          { method: "POST", path: "/graphql", body },
          one.caller,
        );
        expect(status, text).toBe(200);
        const joins = linksTo(world, one.model).map(([key, name, link]) => [
          `${key}_${name}`,
          (world.tables[key] ?? [])
            .filter(isLive)
            .map((row) => ({ id: row["id"], [name]: joined(row, link, rows) })),
        ]);
        expect(envelope.data).toEqual({
          list: idsOf(rows),
          total: [{ count: rows.length }],
          groups: groupsOf(rows),
          ...Object.fromEntries(joins),
        });
      }),
      shrunk(40),
    );
  });
});

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => ({ id }));

/** The relations that lead to a model from others that have roots of their own. */
function linksTo({ shapes }: RuleWorld, model: string): [key: string, name: string, link: Link][] {
  return Object.values(shapes)
    .filter(({ key }) => key !== "users" && key !== model)
    .flatMap(({ key, links }) =>
      Object.entries(links)
        .filter(([, link]) => link.model === model)
        .map(([name, link]): [string, string, Link] => [key, name, link]),
    );
}

function documentOf(world: RuleWorld, model: string): string {
  const joins = linksTo(world, model).map(([key, name, { kind }]) => {
    const all = kind === "has_many" ? "(limit: 100)" : "";
    return `${key}_${name}: ${key}(limit: 100) { id ${name}${all} { id } }`;
  });
  return `{ list: ${model}(limit: 100) { id } total: ${model}_aggregate { count }
    groups: ${model}_aggregate(groupBy: [name], limit: 100) { count } ${joins.join(" ")} }`;
}

function joined(row: Row, { kind, field, references }: Link, rows: readonly Row[]) {
  const found = rows.filter((other) => (row[field] ?? null) !== null && other[references] === row[field]);
  return kind === "has_many" ? idsOf(found) : (idsOf(found)[0] ?? null);
}

/** Groups are in the order of their names, and NULL comes last. */
function groupsOf(rows: readonly Row[]): { name: Held; count: number }[] {
  const nameOf = (row: Row): Held => row["name"] ?? null;
  const names = [...new Set(rows.map(nameOf))].sort((a, b) => {
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -1 : 1;
  });
  return names.map((name) => ({ name, count: rows.filter((row) => nameOf(row) === name).length }));
}
