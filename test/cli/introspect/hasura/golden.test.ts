import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../../../generator/support/project.ts";
import { testDatabase } from "../../../support/database.ts";
import { adoptedProject } from "../adopted-project.ts";

const shop = join(import.meta.dirname, "shop");

test("the models and the list of what a shop on Hasura loses", async () => {
  const db = await testDatabase();
  await db.query(readFileSync(join(shop, "schema.sql"), "utf8"));
  const own = adoptedProject(db.url);
  cpSync(join(shop, "metadata"), join(own.root, "metadata"), { recursive: true });
  const { status, stdout, stderr } = await own.introspect(
    "--hasura",
    "metadata",
    "--guest",
    "anonymous",
    "--remarks",
    "remarks.txt",
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
  await expect(own.read("models/models.json")).toMatchFileSnapshot(join(shop, "expected/models.json"));
  await expect(stderr).toMatchFileSnapshot(join(shop, "expected/list.txt"));
  expect(stdout.replace(/test_\w+/, "test")).toMatchInlineSnapshot(`
    "7 models: wrote models/models.json, models/manifest.json, generated/access-matrix.txt, generated/manifest.lock.json, generated/migrations/0001_baseline.ts, generated/migrations/schema.json
    columns that no field can hold: 1
      books.cover: no field can hold bytea
    remarks:
      models that can only be read: rows have no id: 1
      permissions of Hasura that no rule can say: closed: 7
      parts of the Hasura metadata that are left out, or differ: 21
    all of them: remarks.txt
    marked 0001_baseline as applied in the database test
    next: npm run generate
    "
  `);
  expect(own.generator()).toMatchObject({ status: 0 });
  expect(own.generator("--check")).toMatchObject({ status: 0 });
  expect(JSON.parse(own.read("models/manifest.json"))).toMatchObject({ auth: { registration: false } });
  expect(own.migrate()).toMatchObject({ status: 0 });
  await db.query(
    "INSERT INTO public.users (id, name, email) VALUES (7, 'Ann', 'ann@example.com'), (9, 'Bob', NULL)",
  );
  const page = readFileSync(join(repository, "docs/hasura.md"), "utf8");
  await db.query(/```sql\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
  expect(
    await db.query(
      "SELECT id::int, nextval(pg_get_serial_sequence('kirak.users', 'id'))::int > 9 AS next FROM kirak.users",
    ),
  ).toEqual([
    { id: 7, next: true },
    { id: 9, next: true },
  ]);
}, 240_000);
