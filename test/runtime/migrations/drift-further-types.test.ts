import { expect, test } from "vitest";
import { defineMigration, differenceLines, migrate, verifyDatabase } from "#runtime/migrations/index";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";

const goods = defineMigration({
  name: "0001_goods",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "goods",
      columns: [
        { name: "id", type: "bigint", nullable: false, default: "identity" },
        { name: "price", type: "numeric(12,2)", nullable: false, default: { literal: "12.50" } },
        { name: "serial", type: "bigint", nullable: true, default: { literal: "-9007199254740993" } },
        { name: "opens", type: "time(3)", nullable: true, default: { literal: "09:00:00.000" } },
        { name: "tags", type: "varchar(20)[]", nullable: true, default: { literal: ["a", 'b"\\'] } },
        { name: "sizes", type: "numeric(6,1)[]", nullable: true, default: { literal: ["1.5", "2.0"] } },
      ],
    },
    {
      step: "add_index",
      table: "goods",
      index: { name: "goods_tags_idx", columns: ["tags"], unique: false, live: false, method: "gin" },
    },
    {
      step: "add_check",
      table: "goods",
      check: { name: "goods_tags_check", column: "tags", oneOf: ["a", "it's", 'b"\\'], elements: "varchar" },
    },
    {
      step: "add_check",
      table: "goods",
      check: { name: "goods_price_check", column: "price", oneOf: ["12.50", "1.00"] },
    },
  ],
  down: [],
});

const { url, query } = await testDatabase();
await migrate({ url, migrations: [goods], log: silent });

async function lines(): Promise<string[]> {
  const { differences } = await verifyDatabase({ url, migrations: [goods], log: silent });
  return differenceLines(differences).map((line) => line.replace(/ +/g, " "));
}

test("columns of decimals, bigints, times and lists are what their migrations made", async () => {
  expect(await lines()).toEqual([]);
});

const change = (column: string, to: string) => `ALTER TABLE goods ALTER COLUMN ${column} ${to}`;
const recheck = (constraint: string, condition: string) =>
  `ALTER TABLE goods DROP CONSTRAINT ${constraint}; ALTER TABLE goods ADD CONSTRAINT ${constraint} CHECK (${condition})`;
const reindex = (how: string) => `DROP INDEX goods_tags_idx; CREATE INDEX goods_tags_idx ON goods ${how}`;
const tags = `ARRAY['a', 'it''s', 'b"\\']`;

// biome-ignore format: one case a line
test.each([
  [change("price", "SET DEFAULT '12.5'"), change("price", "SET DEFAULT 12.50")],
  [change("sizes", "SET DEFAULT ARRAY[1.5, 2]"), change("sizes", "SET DEFAULT '{1.5,2.0}'")],
  [change("tags", `SET DEFAULT ARRAY['a', 'b"\\']`), change("tags", 'SET DEFAULT \'{a,"b\\"\\\\"}\'')],
  [recheck("goods_price_check", "price IN (12.5, 1)"), recheck("goods_price_check", "price IN ('12.50', '1.00')")],
  [recheck("goods_tags_check", `tags <@ ${tags}::varchar(9)[]`), recheck("goods_tags_check", `tags <@ ${tags}::varchar[]`)],
  [reindex("USING gin (tags) WITH (fastupdate = off)"), reindex("USING gin (tags)")],
])("%s is no difference", async (by, undo) => {
  await query(by);
  expect(await lines()).toEqual([]);
  await query(undo);
});

// biome-ignore format: one case a line
test.each([
  [change("price", "TYPE numeric(12,3)"), change("price", "TYPE numeric(12,2)"), ["goods.price expected numeric(12,2), is numeric(12,3)"]],
  [change("opens", "TYPE time(0)"), change("opens", "TYPE time(3)"), ["goods.opens expected time(3), is time(0)"]],
  [change("tags", "TYPE varchar(9)[]"), change("tags", "TYPE varchar(20)[]"), ["goods.tags expected varchar(20)[], is varchar(9)[]"]],
  [change("sizes", "SET DEFAULT '{1.5}'"), change("sizes", "SET DEFAULT '{1.5,2.0}'"),
    ["goods.sizes expected default '{1.5,2.0}'::numeric[], is default '{1.5}'::numeric[]"]],
  [reindex("(tags)"), reindex("USING gin (tags)"), ["goods_tags_idx expected gin index (tags), is index (tags)"]],
  [reindex("USING gin (tags) WHERE id > 3"), reindex("USING gin (tags)"),
    ["goods_tags_idx expected gin index (tags), is gin index (tags) where (id > 3)"]],
  [recheck("goods_price_check", "price IN (12.5, 2)"), recheck("goods_price_check", "price IN ('12.50', '1.00')"),
    [expect.stringMatching(/^goods_price_check expected CHECK .*1\.00.*, is CHECK .*2/)]],
])("%s is one", async (by, undo, expected) => {
  await query(by);
  expect(await lines()).toEqual(expected);
  await query(undo);
  expect(await lines()).toEqual([]);
});
