import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { differenceLines, migrate, verifyDatabase } from "#runtime/migrations/runner/index";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { adoptedProject } from "./adopted-project.ts";

const tables = `
  CREATE SCHEMA sales;
  CREATE TYPE mood AS ENUM ('sad', 'ok');
  CREATE TYPE sales.state AS ENUM ('open', 'paid');
  CREATE FUNCTION usual() RETURNS mood LANGUAGE sql AS $$SELECT 'ok'::mood$$;
  CREATE FUNCTION shown(mood) RETURNS text IMMUTABLE LANGUAGE sql AS $$SELECT CASE $1 WHEN 'ok' THEN 'fine' ELSE 'bad' END$$;
  CREATE TABLE people (
    id serial PRIMARY KEY, mood mood NOT NULL DEFAULT 'sad', second mood NOT NULL DEFAULT usual(),
    moods mood[] NOT NULL DEFAULT '{sad}', shown text GENERATED ALWAYS AS (shown(mood)) STORED
  );
  CREATE TABLE sales.orders (id serial PRIMARY KEY, state sales.state NOT NULL DEFAULT 'open');
  INSERT INTO people DEFAULT VALUES;
`;

const clean = { differences: [], notes: [] };

test("values of enum types are added and renamed", async () => {
  const db = await testDatabase();
  await db.query(tables);
  const own = adoptedProject(db.url);
  expect(await own.introspect("--schema", "public,sales", "--open", "admin")).toMatchObject({ status: 0 });
  const path = join(own.root, "models/models.json");
  const models = JSON.parse(readFileSync(path, "utf8"));
  expect(models).toMatchObject({
    people: {
      fields: {
        mood: { default: "sad" },
        moods: { type: "string[]", db_type: "mood[]", enum: ["sad", "ok"] },
      },
    },
    orders: { fields: { state: { db_type: "sales.state", enum: ["open", "paid"] } } },
  });

  const { mood, second, moods } = models.people.fields;
  for (const field of [mood, second, moods]) field.enum = ["low", "ok", "happy"];
  mood.default = "low";
  models.orders.fields.state.enum = ["new", "open", "paid"];
  models.orders.fields.state.default = "new";
  writeFileSync(path, JSON.stringify(models));
  const accepted = ["--accept-destructive", "rename_enum_value:mood.sad"];
  expect(own.generator(...accepted)).toMatchObject({ status: 0 });
  expect(own.generator("--check")).toMatchObject({ status: 0 });

  const code = { ...(await own.migrations()), log: silent };
  const verified = async (url: string) => {
    const { differences, notes } = await verifyDatabase({ ...code, url });
    return { differences: differenceLines(differences), notes: differenceLines(notes) };
  };
  const empty = await testDatabase();
  await empty.query(
    tables
      .slice(tables.indexOf("  CREATE FUNCTION"), tables.indexOf("  CREATE TABLE"))
      .replace(/^/, "CREATE TYPE mood AS ENUM ('sad', 'ok');"),
  );
  for (const url of [db.url, empty.url]) {
    await migrate({ ...code, url });
    expect(await verified(url)).toEqual(clean);
  }
  expect(await db.query("SELECT mood::text, moods::text FROM people")).toEqual([
    { mood: "low", moods: "{low}" },
  ]);

  const send = await own.serve();
  const created = await send("POST /people/create", { data: { mood: "happy", moods: ["happy", "low"] } });
  expect(created).toMatchObject({ data: { mood: "happy", second: "ok", moods: ["happy", "low"] } });
  expect(await send("GET /people/count?moods__contains=happy&mood=happy")).toMatchObject({
    data: { count: 1 },
  });
  const order = await send("POST /orders/create", { data: { state: "new" } });
  expect(order).toMatchObject({ data: { state: "new" } });

  await db.query("ALTER TYPE mood ADD VALUE 'more' BEFORE 'ok'");
  expect(await verified(db.url)).toEqual({
    differences: [],
    notes: ["mood  expected the values low, ok, happy, is low, more, ok, happy"],
  });
  await db.query("ALTER TYPE mood RENAME VALUE 'low' TO 'blue'");
  expect(await verified(db.url)).toMatchObject({
    differences: [
      "people.moods  expected the default of the baseline, is altered since",
      "mood          expected the values low, ok, happy, is blue, more, ok, happy",
    ],
  });

  await db.query("ALTER TABLE sales.orders ALTER state DROP DEFAULT, ALTER state TYPE text");
  await expect(own.serve()).rejects.toThrow(
    'orders.state: the column "state" of "sales"."orders" has the type text, expected sales.state',
  );

  for (const field of [mood, second, moods]) field.enum = ["low", "ok"];
  writeFileSync(path, JSON.stringify(models));
  expect(own.generator()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/models\/models\.json:1: "enum" of people\.mood removes "happy"/),
  });
}, 240_000);
