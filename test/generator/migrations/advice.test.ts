import { describe, expect, test } from "vitest";
import { planMigration, unaccepted } from "#generator/migrations/plan";
import { builtInMigrations } from "#runtime/migrations/built-in/index";
import { migrate } from "#runtime/migrations/runner/index";
import type { Migration } from "#vocabulary/migrations/migration-steps";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { definitionOf, migrationOf, nothing } from "./changes/try-change.ts";

/** A change that existing rows can block, and the statements of a developer who follows the advice. */
interface AdviceCase {
  readonly title: string;
  readonly before: object;
  readonly rows: string;
  readonly after: object;
  /** The models that the advice says to deploy first. */
  readonly deployed?: object;
  /** What a person puts in the place of "…". */
  readonly value?: string;
  /** What a person does where the advice only finds the rows. */
  readonly byHand?: string;
}

const access = { fetch: [{ role: "admin" }] };
const books = (fields: object, more: object = {}) => ({
  books: { fields: { title: { type: "string" }, ...fields }, access, ...more },
});
const novels = (fields: object) => ({
  novels: { renamed_from: "books", fields: { title: { type: "string" }, ...fields }, access },
});
const state = (...values: string[]) => ({ state: { type: "string", enum: values } });
const tags = (...values: string[]) => ({ tags: { type: "string[]", enum: values } });
const row = (column: string, value: string) =>
  `INSERT INTO books (title, ${column}) VALUES ('a', ${value}), ('b', ${value})`;

// biome-ignore format: one case a line
const cases: readonly AdviceCase[] = [
  { title: "an enum value is renamed", before: books(state("foo", "x")), rows: row("state", "'foo'"), after: books(state("bar", "x")),
    deployed: books(state("bar", "x", "foo")), value: "'bar'" },
  { title: "an enum value is renamed together with the model", before: books(state("foo")), rows: row("state", "'foo'"), after: novels(state("bar")),
    deployed: novels(state("bar", "foo")), value: "'bar'" },
  { title: "an enum value goes", before: books(state("foo", "bar")), rows: row("state", "'foo'"), after: books(state("bar")), value: "'bar'" },
  { title: "an enum comes", before: books({ state: { type: "string" } }), rows: row("state", "'foo'"), after: books(state("bar")), value: "'bar'" },
  { title: "an enum value of a list is renamed", before: books(tags("foo")), rows: row("tags", "'{foo}'"), after: books(tags("bar")),
    deployed: books(tags("bar", "foo")), value: "'{bar}'" },
  { title: "a required field comes", before: books({}), rows: "INSERT INTO books (title) VALUES ('a')",
    after: books({ size: { type: "integer", required: true } }), deployed: books({ size: { type: "integer" } }), value: "1" },
  { title: "a required field comes together with a new name of the model", before: books({}), rows: "INSERT INTO books (title) VALUES ('a')",
    after: novels({ size: { type: "integer", required: true } }), deployed: novels({ size: { type: "integer" } }), value: "1" },
  { title: "a field of a renamed model becomes required", before: books({ size: { type: "integer" } }), rows: row("size", "NULL"),
    after: novels({ length: { type: "integer", required: true, renamed_from: "size" } }),
    deployed: novels({ length: { type: "integer", default: 3, renamed_from: "size" } }), value: "1" },
  { title: "a text becomes shorter", before: books({ name: { type: "string", max_length: 9 } }), rows: row("name", "'too long'"),
    after: books({ name: { type: "string", max_length: 3 } }), byHand: "UPDATE books SET name = 'a'" },
  { title: "elements of a list become shorter", before: books({ names: { type: "string[]", max_length: 9 } }), rows: row("names", "'{too long}'"),
    after: books({ names: { type: "string[]", max_length: 3 } }), byHand: "UPDATE books SET names = '{a}'" },
  { title: "a field becomes unique", before: books({ isbn: { type: "string" } }), rows: row("isbn", "'1'"),
    after: books({ isbn: { type: "string", unique: true } }), byHand: "UPDATE books SET isbn = id" },
  { title: "a field of a model with soft_delete becomes unique", before: books({ isbn: { type: "string" } }, { soft_delete: true }),
    rows: row("isbn", "'1'"), after: books({ isbn: { type: "string", unique: true } }, { soft_delete: true }), byHand: "UPDATE books SET isbn = id" },
  { title: "a check comes", before: books({ size: { type: "integer" } }), rows: row("size", "0"),
    after: books({ size: { type: "integer" } }, { checks: [{ name: "positive", condition: "size > 0", message: "No." }] }),
    byHand: "UPDATE books SET size = 1" },
  { title: "a relation comes",
    before: { ...books({ shop_id: { type: "bigint" } }), shops: { fields: { name: { type: "string" } }, access } },
    rows: row("shop_id", "7"),
    after: { ...books({ shop_id: { type: "belongs_to", relationship: { model: "shops" } } }),
      shops: { fields: { name: { type: "string" } }, access } },
    byHand: "UPDATE books SET shop_id = NULL",
  },
  { title: "soft_delete goes", before: books({}, { soft_delete: true }), rows: "INSERT INTO books (title, deleted_at) VALUES ('a', now())",
    after: books({}) },
];

const statement = /(?:SELECT|UPDATE|DELETE) .*/;

describe("advice that is followed word by word leads to a migration that succeeds", () => {
  test.each(cases)("$title", async ({ before, rows, after, deployed, value, byHand }) => {
    const { url, query } = await testDatabase([], builtInMigrations);
    const migrations: Migration[] = [];
    let plan = planMigration(await definitionOf(before), nothing, []);
    const apply = async () => {
      migrations.push(migrationOf(plan));
      await migrate({ url, builtIn: builtInMigrations, migrations, log: silent });
    };
    const planTo = async (models: object) => {
      plan = planMigration(await definitionOf(models), plan.after, plan.history);
    };
    await apply();
    await query(rows);
    const wanted = planMigration(await definitionOf(after), plan.after, plan.history);
    const advice = unaccepted(wanted, []).flatMap(({ safely = [] }) => safely);
    expect(advice.some((line) => statement.test(line))).toBe(true);
    for (const line of advice) {
      const [sql] = statement.exec(line) ?? [];
      if (sql !== undefined) await query(sql.replace("…", value ?? "…"));
      if (sql !== undefined && byHand !== undefined) await query(byHand);
      if (sql !== undefined || deployed === undefined || !/deploy/.test(line)) continue;
      await planTo(deployed);
      await apply();
    }
    await planTo(after);
    await apply();
  });
});
