import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCustomMigrations } from "#generator/load/read-custom-migrations";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import { linkMigration, migrate, migrateDown, verifyDatabase } from "#runtime/migrations/runner/index";
import type { Migration } from "#vocabulary/migrations/migration-steps";
import { service } from "../../../generated/index.ts";
import { serviceDatabase } from "../../../test/support/database.ts";
import { silent as log } from "../../../test/support/silent-log.ts";

const page = join(import.meta.dirname, "..", "..", "..", "docs", "custom-sql.md");
const code = await serviceMigrations(service.migrations);

/** The files of own SQL that the page shows, one after the other in the chain of the shop. */
async function recipes(): Promise<Migration[]> {
  const blocks = [
    ...readFileSync(page, "utf8").matchAll(/```ts\n((?:(?!```)[\s\S])*defineSqlMigration\([\s\S]*?)```/g),
  ];
  const files = blocks.map(([, text = ""], index) => ({
    file: `0${101 + index}_recipe.ts`,
    text,
    problem: null,
    invalid: null,
  }));
  let parent = code.migrations.at(-1)?.name ?? null;
  return (await readCustomMigrations(files)).flatMap(({ name, sql, problem }) => {
    expect(problem).toBeNull();
    if (sql === null) return [];
    const migration = linkMigration({ name, parent, sql });
    parent = name;
    return [migration];
  });
}

test("the SQL that the page shows runs on the book shop, is no drift, and is taken back", async () => {
  const { url, query } = await serviceDatabase(service);
  await query(`INSERT INTO authors (name) VALUES ('A');
    INSERT INTO books (title, slug, isbn, author_id, price) VALUES ('One', 'one', '9780140449136', 1, 10)`);
  const own = await recipes();
  expect(own).toHaveLength(4);
  const options = { url, ...code, migrations: [...code.migrations, ...own], log };
  expect(await migrate(options)).toEqual(own.map(({ name }) => name));
  expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
  await query("UPDATE books SET price = 5");
  expect(await query("SELECT price FROM price_changes")).toEqual([{ price: "5.00" }]);
  expect(await query("SELECT title FROM cheap_books")).toEqual([{ title: "One" }]);
  const to = code.migrations.at(-1)?.name ?? "";
  expect(await migrateDown({ ...options, to, acceptDataLoss: true })).toHaveLength(4);
  expect(await verifyDatabase({ ...options, ...code })).toMatchObject({ differences: [], notes: [] });
});

test("the shop finds words by its own indexes", async () => {
  const { query } = await serviceDatabase(service);
  await query("SET enable_seqscan = off");
  const plan = await query(
    `EXPLAIN SELECT FROM books WHERE title ILIKE '%word%' OR subtitle ILIKE '%word%' OR blurb ILIKE '%word%'`,
  );
  const text = JSON.stringify(plan);
  for (const column of ["title", "subtitle", "blurb"]) expect(text).toContain(`books_${column}_trgm_idx`);
});
