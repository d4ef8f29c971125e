import { expect, test } from "vitest";
import { compareCatalogs, migrate, verifyDatabase } from "#runtime/migrations/runner/index";
import { stepToSql } from "#runtime/migrations/runner/steps/steps-to-sql";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { adoptedProject } from "./adopted-project.ts";
import { catalogOf } from "./catalog-of.ts";

const long = "a_name_of_sixty_three_bytes_which_is_all_that_postgresql_allows";
const old = await testDatabase();
const fresh = await testDatabase();
await old.query(`
  CREATE TABLE "order items" ("Größe in ""cm""" integer NOT NULL DEFAULT 3, "select" text, "日本" varchar(5), "a__b" boolean,
    "A__B" boolean, "${long}x" date, "${long.slice(0, 62)}é" date);
  INSERT INTO "order items" VALUES (7, 's', '日本', true, false, '2020-01-01', '2020-01-02');
  CREATE TABLE users (id text CONSTRAINT "the key" PRIMARY KEY, email text UNIQUE, created_at date, updated_at integer,
    deleted_at timestamptz, state varchar(9) CONSTRAINT "odd check" CHECK (state IN ('it''s', '"b"', E'\\\\')));
  INSERT INTO users VALUES ('u1', 'a@example.org', '2020-01-01', 5, NULL, 'it''s'), ('u2', NULL, '2020-01-02', NULL, now(), '"b"');
  CREATE TABLE "Auth" (user_id text NOT NULL REFERENCES users ON DELETE CASCADE, "Auth" uuid PRIMARY KEY, "order" integer UNIQUE);
  CREATE INDEX ON "Auth" (user_id);
  INSERT INTO "Auth" VALUES ('u1', '00000000-0000-4000-8000-000000000001', 1);
  CREATE TABLE lines (line integer, "order" integer REFERENCES "Auth" ("order"), owner uuid REFERENCES "Auth", parent integer,
    PRIMARY KEY (line, "order"), id integer);
  INSERT INTO lines VALUES (1, 1, '00000000-0000-4000-8000-000000000001', NULL, 4);
  CREATE TABLE one (two_id integer PRIMARY KEY);
  CREATE TABLE two (one_id integer PRIMARY KEY REFERENCES one ON DELETE CASCADE);
  INSERT INTO one VALUES (9); INSERT INTO two VALUES (9);
  ALTER TABLE one ADD FOREIGN KEY (two_id) REFERENCES two DEFERRABLE INITIALLY DEFERRED`);

/** The first row of a table, without times. */
const row = async (table: string) =>
  (
    await old.query(
      `SELECT to_jsonb(t) - '{created_at,updated_at}'::text[] AS row FROM ${table} t ORDER BY id`,
    )
  )[0]?.["row"];

test("odd names and keys migrate with their rows, and serve", { timeout: 180_000 }, async () => {
  const shop = adoptedProject(old.url);
  const read = await shop.introspect("--normalise");
  expect(read.status).toBe(0);
  expect(read.stdout).toMatch(
    /users\n {4}the table's name: it is not allowed for models: the table becomes app_users/,
  );
  expect(read.stdout).toMatch(
    /foreign key Auth_user_id_fkey: it refers to the primary key of users, which is dropped: DROP IT/,
  );
  expect(read.stdout).toMatch(
    /foreign key two_one_id_fkey: it refers to the primary key of one, which is dropped: DROP IT/,
  );
  await old.query(
    'ALTER TABLE "Auth" DROP CONSTRAINT "Auth_user_id_fkey"; ALTER TABLE two DROP CONSTRAINT two_one_id_fkey',
  );
  expect(shop.goOn(read.stdout).status).toBe(0);
  expect(shop.migrate()).toMatchObject({ status: 0, stderr: "" });

  expect(await row("order_items")).toEqual({
    ...{ id: 1, Gro_e_in_cm: 7, select: "s", column_3: "日本", a_b: true, A_B_2: false },
    ...{ [long]: "2020-01-01", [long.slice(0, 62)]: "2020-01-02" },
  });
  // biome-ignore format: many a line
  const user = {
    id: 1, old_id: "u1", email: "a@example.org", old_updated_at: 5, deleted_at: null, state: "it's",
  };
  expect(await row("app_users")).toEqual(user);
  expect(await row('"Auth"')).toEqual({
    id: "00000000-0000-4000-8000-000000000001",
    user_id: "u1",
    order: 1,
  });
  expect(await row("lines")).toEqual({
    ...{ id: 1, line: 1, order: 1, owner: "00000000-0000-4000-8000-000000000001", parent: null, old_id: 4 },
  });
  const code = await shop.migrations();
  const verified = await verifyDatabase({ url: old.url, ...code, log: silent });
  expect(verified.differences).toEqual([]);
  await migrate({ url: fresh.url, ...code, log: silent });
  expect(compareCatalogs(await catalogOf(fresh), await catalogOf(old)).differences).toEqual([]);

  // What was renamed once is not renamed again.
  expect(shop.goOn("npm run generate").stdout).toContain("nothing to do");
  const send = await shop.serve();
  expect((await send("GET /app_users/fetch?state=it's&select_fields=old_id")).data).toEqual([
    { old_id: "u1" },
  ]);
  const made = await send("POST /app_Auth/create", { data: { user_id: "u1", order: 2 } });
  expect(made).toMatchObject({ status: 200, data: { order: 2 } });
  expect((await send("POST /app_Auth/create", { data: { user_id: "u1", order: 2 } })).status).toBe(400);
});

test("a unique constraint goes like an index, and nothing else of its name", async () => {
  await old.query(
    "CREATE TABLE plain (a integer CONSTRAINT same UNIQUE, b integer CONSTRAINT other CHECK (b > 0))",
  );
  await old.query("CREATE INDEX other ON plain (b)");
  for (const name of ["same", "other"])
    await old.query(stepToSql({ step: "drop_index", table: "plain", name }));
  expect(await old.query("SELECT conname FROM pg_constraint WHERE conrelid = 'plain'::regclass")).toEqual([
    { conname: "other" },
  ]);
  expect(await old.query("SELECT FROM pg_indexes WHERE tablename = 'plain'")).toEqual([]);
});
