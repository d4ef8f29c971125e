import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Principal } from "#runtime/access/index";
import type { Model } from "#runtime/model/index";
import { conditionSql } from "#runtime/sql/conditions/condition-sql";
import { insertColumns, insertOne } from "#runtime/sql/insert-statement";
import type { BindValue } from "#runtime/sql/kinds";
import { columnsOfTable, type Plan, plan, sql } from "#runtime/sql/sql";
import type { Condition } from "#vocabulary/conditions";
import { condition, type Domains, principal, type Row, truth } from "./support/logic.ts";
import { folders, slips, things } from "./support/models.ts";
import { runs } from "./support/runs.ts";
import { startWorld, type World } from "./support/world.ts";

const text = { kind: "text", values: ["a", "b", "ab", "c\\%", "%"] } as const;
const thingDomains: Domains = {
  name: text,
  mail: { kind: "text", values: ["a", "A", "a%"] },
  count: { kind: "int4", values: [0, 1, 2, 2147483647] },
  big: { kind: "int8", values: [0, 1, 2, 9007199254740991] },
  ratio: { kind: "float", values: [0, 1, 0.5, -1e300] },
  flag: { kind: "boolean", values: [true, false] },
  at: {
    kind: "datetime",
    values: ["1999-12-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z", "2999-01-01T00:00:00.000Z"],
  },
  day: { kind: "date", values: ["1999-12-31", "2024-02-29", "2999-01-01"] },
  ref: {
    kind: "uuid",
    values: ["00000000-0000-4000-8000-000000000001", "ffffffff-ffff-4fff-bfff-ffffffffffff"],
  },
};
const slipDomains: Domains = {
  code: text,
  amount: { kind: "int4", values: [0, 1, 2] },
  "folder.owner_id": { kind: "int8", values: [0, 1, 2] },
  "folder.label": text,
  "folder.open": { kind: "boolean", values: [true, false] },
};

const models = new Map<string, Model>([things, folders, slips].map((model) => [model.key, model]));

/** A row with a value of each domain, or NULL. */
const thing: fc.Arbitrary<Row> = fc.record(
  Object.fromEntries(
    Object.entries(thingDomains).map(([name, { values }]) => [
      name,
      fc.option(fc.constantFrom(...values), { freq: 4 }),
    ]),
  ),
);

describe("random row conditions, compared with three-valued logic", () => {
  let world: World;
  const rows = new Map<string, Row>();
  const slipRows = new Map<string, Row>();

  beforeAll(async () => {
    world = await startWorld();
    const { db } = world;
    await db.query("set timezone = 'UTC'");
    const names = Object.keys(thingDomains);
    for (const row of fc.sample(thing, { numRuns: 60, seed: 3 })) {
      const list = names.map((_, at) => `$${at + 1}`).join();
      const [saved] = await db.query(
        `insert into things (${names.join()}) values (${list}) returning id`,
        names.map((name) => row[name]),
      );
      rows.set(String(saved?.["id"]), row);
    }
    await db.query(`
      drop index slips_code_key;
      insert into folders (owner_id, label, open, deleted_at)
        select o, l, p, d from unnest(array[0, 1, 2]) o, unnest(array['a', 'c\\%', null]) l,
          unnest(array[true, false]) p, unnest(array[null, now()]) d;
      insert into slips (folder_id, code, amount) select id, 'a', id % 3 from folders;
    `);
    const joined = await db.query(`
      select s.id, s.code, s.amount, f.owner_id, f.label, f.open
      from slips s left join folders f on f.id = s.folder_id and f.deleted_at is null`);
    for (const { id, code, amount, owner_id, label, open } of joined)
      slipRows.set(id, {
        code,
        amount,
        "folder.owner_id": owner_id,
        "folder.label": label,
        "folder.open": open,
      });
  });

  const run = (made: Plan, values: readonly BindValue[], who: Principal) =>
    world.database.run({ name: null, text: made.statement.text }, made.bind(values, who));

  async function admitted(model: Model, when: Condition, who: Principal): Promise<unknown[]> {
    const where = conditionSql(when, model, models, columnsOfTable("t"));
    const found = await run(plan(sql("select t.id from ?? as t where ?", model.table, where)), [], who);
    return found.map(([id]) => id).sort();
  }

  const expected = (all: ReadonlyMap<string, Row>, domains: Domains, when: Condition, who: Principal) =>
    [...all].filter(([, row]) => truth(when, row, domains, who) === true).map(([id]) => id);

  it("of a row's own fields", async () => {
    await fc.assert(
      fc.asyncProperty(condition(thingDomains), principal, async (when, who) => {
        expect(await admitted(things, when, who)).toEqual(expected(rows, thingDomains, when, who).sort());
      }),
      runs(600),
    );
  });

  it("of the row that it belongs to, which is NULL once deleted", async () => {
    await fc.assert(
      fc.asyncProperty(condition(slipDomains), principal, async (when, who) => {
        expect(await admitted(slips, when, who)).toEqual(expected(slipRows, slipDomains, when, who).sort());
      }),
      runs(300),
    );
  });

  it("of a row about to be inserted", async () => {
    const names = insertColumns(things);
    await fc.assert(
      fc.asyncProperty(condition(thingDomains), principal, thing, async (when, who, row) => {
        const made = insertOne(things, models, { kind: "some", when }, ["id"]);
        const inserted = await run(
          made,
          names.map((name) => row[name] ?? null),
          who,
        );
        expect(inserted.length === 1).toBe(truth(when, row, thingDomains, who) === true);
      }),
      runs(200),
    );
  });
});
