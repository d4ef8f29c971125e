import { expect, test } from "vitest";
import { migrate, migrateDown, verifyDatabase } from "#runtime/migrations/runner/index";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { adoptedProject } from "./adopted-project.ts";
import { catalogOf } from "./catalog-of.ts";
import { chinook } from "./chinook.ts";

const old = await testDatabase();
const fresh = await testDatabase();
await old.query(chinook);

/** All rows of the tables by their keys, without the columns that only the service has. */
async function rows(id: (table: string) => string): Promise<Record<string, unknown>> {
  const tables = ["album", "artist", "customer", "employee", "invoice", "invoice_line", "track"];
  const found: Record<string, unknown> = {};
  for (const table of tables) {
    const list = await old.query(
      `SELECT to_jsonb(t) - '{id,${table}_id,created_at,updated_at}'::text[] AS row FROM ${table} t ORDER BY ${id(table)}`,
    );
    const ids = await old.query(`SELECT ${id(table)} AS id FROM ${table} ORDER BY 1`);
    found[table] = [list, ids.map((row) => Number(row["id"]))];
  }
  return found;
}

test("Chinook generates, migrates with its rows, verifies and serves", { timeout: 180_000 }, async () => {
  // A time without a zone becomes one in UTC.
  await old.query("SET TimeZone = 'UTC'");
  const before = JSON.stringify(await rows((table) => `${table}_id`)).replace(
    /(\d\d:\d\d:\d\d)"/g,
    '$1+00:00"',
  );
  const shop = adoptedProject(old.url);
  shop.remove("models/manifest.json");
  const read = await shop.introspect("--normalise");
  expect(read).toMatchObject({ status: 0, stderr: "" });
  // The former key of playlist_track is unique for sure.
  expect(read.stdout).not.toContain("add_index:");
  expect(read.stdout).not.toMatch(/take care|in the database, and not in the models/);
  expect(JSON.parse(shop.read("models/manifest.json")).$schema).toBe("../schemas/manifest.schema.json");
  const { track, employee, playlist_track } = JSON.parse(shop.read("models/models.json"));
  expect(track.fields).toMatchObject({
    name: { type: "string", required: true, max_length: 200 },
    album_id: { type: "belongs_to", relationship: { model: "album" } },
    unit_price: { type: "decimal", precision: 10, scale: 2, required: true },
    invoice_line: { type: "has_many", relationship: { model: "invoice_line", foreign_key: "track_id" } },
  });
  expect(employee.fields.reports_to).toEqual({ type: "belongs_to", relationship: { model: "employee" } });
  expect(playlist_track.unique).toEqual([["playlist_id", "track_id"]]);

  expect(shop.goOn(read.stdout)).toMatchObject({ status: 0, stderr: "" });
  expect(shop.migrate()).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.stringify(await rows(() => "id"))).toBe(before);
  expect(await old.query("SELECT playlist_id, track_id FROM playlist_track ORDER BY 1, 2")).toHaveLength(4);
  const code = await shop.migrations();
  expect(await verifyDatabase({ url: old.url, ...code, log: silent })).toMatchObject({
    ...{ differences: [], notes: [], pending: [] },
  });

  const send = await shop.serve();
  expect(await send("GET /track/fetch?unit_price__gt=1&select_fields=id,name,album_id")).toEqual({
    status: 200,
    data: [{ id: 2, name: "Balls to the Wall", album_id: 2 }],
  });
  // Ids go on where those of the old database end.
  const made = await send("POST /playlist_track/create", { data: { playlist_id: 18, track_id: 3503 } });
  expect(made).toMatchObject({ status: 200, data: { id: 5, playlist_id: 18, track_id: 3503 } });
  expect(await send("POST /artist/create", { data: { name: "New" } })).toMatchObject({ data: { id: 276 } });
  const twice = await send("POST /playlist_track/create", { data: { playlist_id: 18, track_id: 3503 } });
  expect(twice.status).toBe(400);
  expect((await send("POST /album/create", { data: { title: "x", artist_id: 99 } })).status).toBe(400);
  expect(await send("GET /invoice/fetch?id=98&select_fields=invoice_date,total")).toMatchObject({
    data: [{ invoice_date: "2022-03-11T00:00:00.000Z", total: "3.98" }],
  });

  const database = { url: fresh.url, ...code, log: silent };
  await migrate(database);
  expect(await catalogOf(fresh)).toEqual(await catalogOf(old));
  await migrateDown({ ...database, acceptDataLoss: true });
  await migrate(database);
  expect(await catalogOf(fresh)).toEqual(await catalogOf(old));
  expect(shop.goOn("npm run generate -- --check")).toMatchObject({ status: 0 });
});
