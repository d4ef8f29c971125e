import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#vocabulary/json";
import { type Asked, overGraphql, overRest } from "../support/graphql-both-ways.ts";
import type { Reply, Sent } from "../support/request.ts";
import { shrunk } from "./support/drawn.ts";
import { anyId, expectedOutcome, outcomeSeeingItself } from "./support/expected-write.ts";
import { codeOfId, type Values, type WriteCase, writeCases } from "./support/random-write.ts";
import type { Held, Row } from "./support/rows.ts";
import { type RuleService, ruleService } from "./support/rule-service.ts";
import { treeOf } from "./support/rule-tree.ts";
import { type Kind, type Shape, shapeOf } from "./support/shapes.ts";
import { store } from "./support/tables.ts";
import { type RuleWorld, ruleWorld } from "./support/world.ts";

const tables = [
  ["Kirak", 4],
  ["another tool", 9],
] as const;

describe.each(tables)(
  "random conditions over relations, on every way to write, in tables of %s",
  (_, seed) => {
    let world: RuleWorld;
    let service: RuleService;

    beforeAll(async () => {
      world = await ruleWorld(seed);
      service = await ruleService(world);
    });

    function setRules({ model, rule, also, write, fetch, split }: WriteCase): void {
      const shape = shapeOf(world.shapes, model);
      const [first, second] = [rule, also ?? rule].map((one) => treeOf(one, world.shapes, shape));
      if (first === undefined || second === undefined) return;
      const rules = { "*": first, ...(also !== null && { a: second }) };
      const own = write.run === "bulk update" ? "update" : write.run;
      const open = split
        ? ({ create: { "*": first }, update: { "*": second }, upsert: "as create and update" } as const)
        : { [own]: rules };
      const fetched = typeof fetch === "string" ? fetch === "all rows" : treeOf(fetch, world.shapes, shape);
      service.setRules({ [model]: { ...open, fetch: fetched === false ? {} : { "*": fetched } } });
    }

    async function stored(): Promise<Record<string, Row[]>> {
      const all = Object.values(world.shapes).map(
        (shape) => `'${shape.key}', (select json_agg(${rowSql(shape)} order by id) from ${shape.key} t)`,
      );
      const [row] = await world.db.query(`select json_build_object(${all.join()}) as rows`);
      return row?.["rows"];
    }

    it("accept the writes that an evaluation by hand accepts, and nothing else is written", async () => {
      const before = await stored();
      await fc.assert(
        fc.asyncProperty(
          writeCases(world.shapes, (one) => worthOf(world, one)),
          async (one) => {
            setRules(one);
            const reply = await service.send(requestOf(one), one.caller);
            const now = await stored();
            if (JSON.stringify(now) !== JSON.stringify(before)) await store(world.db, world.tables);
            const { status, rows, failed } = expectedOutcome(world, one);
            expect({
              status: reply.status,
              failed: failed && failedOf(reply),
              rows: comparableRows(now[one.model], world, one),
            }).toEqual({ status, failed, rows: comparableRows(rows, world, one) });
            const isOther = (key: string) => key !== one.model || rows === world.tables[one.model];
            for (const key of Object.keys(now).filter(isOther)) expect(now[key]).toEqual(before[key]);
          },
        ),
        shrunk(80),
      );
    });
  },
);

/** The weight of a write: high if the wrong reading gives another result, low if nothing is written. */
function worthOf(world: RuleWorld, one: WriteCase): number {
  const { status, rows, failed } = expectedOutcome(world, one);
  const wrong = outcomeSeeingItself(world, one);
  const written = rows === world.tables[one.model] ? 0 : 1;
  if (expectedOutcome(world, { ...one, fetch: "all rows" }).status !== status) return 3;
  if (wrong.status === status && wrong.failed?.length === failed?.length) return written;
  // A record that the database refuses splits the others, which must still not see each other.
  return written + (failed?.some(([, error]) => error === "VALIDATION_ERROR") ? 4 : 2);
}

/** A row with what JSON has as text, but for PostgreSQL's own functions. */
function rowSql({ fields }: Shape): string {
  const texts = Object.entries(fields).flatMap(([name, kind]) => {
    const text = textsOf[kind]?.replaceAll("?", `t."${name}"`);
    return text === undefined ? [] : [`'${name}', ${text}`];
  });
  return `to_jsonb(t) || jsonb_build_object(${texts.join()})`;
}

const textsOf: Readonly<Partial<Record<Kind, string>>> = {
  int64: "?::text",
  decimal: "?::text",
  time: "to_char(?, 'HH24:MI:SS.MS')",
  "decimal[]": "?::text[]",
};

const stamps = new Set(["id", "created_at", "updated_at"]);

/** Rows without the times of writes, and with one name for generated ids; a line each, for a short report. */
function comparableRows(rows: readonly Row[] = [], world: RuleWorld, { model, write }: WriteCase): string[] {
  const sent = write.run === "create" ? write.records : write.run === "upsert" ? [write.data] : [];
  const known = new Set([...(world.tables[model] ?? []), ...sent].map(({ id }) => id));
  const shown = rows.map((row) => {
    const fields = Object.entries(row)
      .filter(([name]) => !stamps.has(name))
      .map(([name, value]) => [name, comparableValue(name, value)]);
    return JSON.stringify({
      id: known.has(row["id"]) ? row["id"] : anyId,
      ...Object.fromEntries(fields.sort()),
    });
  });
  return shown.sort();
}

function comparableValue(name: string, value: Held): Held {
  if (name === "deleted_at") return value !== null;
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value;
}

function failedOf({ envelope }: Reply): unknown {
  const { data, details } = JSON.parse(JSON.stringify(envelope));
  const list: { index: number; error: string }[] = (data ?? details)?.failed_records ?? [];
  return list.map(({ index, error }) => [index, error]);
}

function requestOf({ model, write, over }: WriteCase): Sent {
  if (write.run === "bulk update" || (write.run === "create" && write.bulk)) {
    const [method, operation] = write.run === "create" ? ["POST", "create"] : ["PUT", "update"];
    return { method, path: `/${model}/${operation}`, body: { data: write.records.map(jsonOf) } };
  }
  const asked = askedOf(model, write);
  if (over === "REST") return overRest(asked);
  const { query, variables } = overGraphql(asked, "__typename");
  return { method: "POST", path: "/graphql", body: { query, variables } };
}

function askedOf(model: string, write: Exclude<WriteCase["write"], { run: "bulk update" }>): Asked {
  switch (write.run) {
    case "create":
      return { model, run: "create", data: jsonOf(write.records[0] ?? {}) };
    case "upsert":
      return { model, run: "upsert", data: jsonOf(write.data) };
    case "update":
    case "restore":
      return { model, run: write.run, where: whereOf(write), data: jsonOf(write.data) };
    default:
      if (write.by === "ids") return { model, run: write.run, ids: [...write.ids] };
      return { model, run: write.run, where: whereOf(write) };
  }
}

/** A row is named by its id, or found by its code. */
function whereOf({ ids, by }: Extract<WriteCase["write"], { by: string }>): { [field: string]: Json } {
  return by === "code" ? { code: { in: ids.map(codeOfId) } } : { id: { in: [...ids] } };
}

const jsonOf = (values: Values): { readonly [field: string]: Json } => values;
