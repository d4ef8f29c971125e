import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Closers } from "#runtime/process/closers";
import { jobRunner } from "#runtime/process/job-worker";
import { launchWorker } from "#runtime/process/launch-worker";
import { requireColumns } from "#runtime/process/required-columns";
import { testDatabase } from "../../support/database.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { existingModels, existingTables } from "./existing-tables.ts";

const customers = 'sales."Customer"';

// biome-ignore format: one case a line
test.each<readonly [change: string, problems: readonly string[]]>([
  ["ALTER TABLE countries RENAME TO lands", ['id: the table "public"."countries" does not exist', 'name: the table "public"."countries" does not exist'].map((line) => `countries.${line}`)],
  [`ALTER TABLE ${customers} RENAME "short code" TO code`, ['customers.code: the column "short code" of "sales"."Customer" does not exist']],
  [`ALTER TABLE ${customers} ALTER inserted_at TYPE text`, ['customers.created_at: the column "inserted_at" of "sales"."Customer" has the type text, expected timestamp']],
  ["ALTER TABLE samples ALTER uuid_any TYPE text", ['samples.uuid_any: the column "uuid_any" of "public"."samples" has the type text, expected uuid']],
  ["ALTER TABLE samples ALTER reals TYPE real USING reals[1]", ['samples.reals: the column "reals" of "public"."samples" has the type real, expected real[]']],
  ["CREATE TYPE other AS ENUM ('sad', 'ok', 'happy'); ALTER TABLE samples ALTER moods TYPE other[] USING moods::text[]::other[]",
    ['samples.moods: the column "moods" of "public"."samples" has the type other[], expected sales.mood[]']],
  // Additions and similar types.
  ["ALTER TABLE samples ADD more text NOT NULL", []],
  [`ALTER TABLE samples ALTER varchar_5 TYPE varchar(80), ALTER smallint_any TYPE bigint, ALTER numeric_5_2 TYPE numeric, ALTER char_5 TYPE text,
    ALTER timestamp_any TYPE timestamptz, ALTER json_any TYPE jsonb, ALTER reals TYPE double precision[], ALTER mail TYPE citext`, []],
  ["CREATE DOMAIN short AS varchar(5); CREATE DOMAIN shorter AS short; ALTER TABLE samples ALTER varchar_5 TYPE shorter, ALTER varchars TYPE short[]", []],
])("%s", async (change, problems) => {
  const service = await existingTables();
  const models = await existingModels();
  await expect(requireColumns(service.pool, models)).resolves.toBeUndefined();
  await service.query(change);
  const message = await requireColumns(service.pool, models).then(() => null, (error: Error) => error.message);
  expect(message === null ? [] : message.split("\n").slice(1, -1).map((line) => line.trim())).toEqual(problems);
});

test("a worker needs the columns of all models too, also of tables that migrations made", async () => {
  const { url, query } = await testDatabase();
  const root = mkdtempSync(join(tmpdir(), "kirak-worker-"));
  mkdirSync(join(root, "models"));
  writeFileSync(join(root, "models/manifest.json"), JSON.stringify({ server: { log_level: "error" } }));
  const closers = new Closers();
  onTestFinished(() => closers.run("done"));
  const options = {
    ...jobRunner({ ...fixture, mails: [] }),
    ...{ root, environment: { SERVICE_DATABASE_URL: url } },
    ...{ migrations: fixture.migrations, concurrency: 1 },
  };
  const launched = () => launchWorker(options, closers, () => {});
  await expect(launched()).resolves.toMatchObject({ concurrency: 1 });
  await query("ALTER TABLE books RENAME title TO name");
  await expect(launched()).rejects.toThrow(
    /^the database does not fit the models:\n {2}books\.title: the column "title" of "books" does not exist\n/,
  );
});
