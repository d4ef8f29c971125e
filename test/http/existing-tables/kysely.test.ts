import type { Kysely, Selectable } from "kysely";
import { expect, test } from "vitest";
import { unknown } from "../../support/code-in-hooks.ts";
import type { Database } from "./app/generated/database.ts";
import { inExistingTables } from "./existing-tables.ts";

type Customer = Selectable<Database["sales.Customer"]>;
type Sample = Selectable<Database["public.samples"]>;

/** The values of a row, whose types the compiler compares with those of `database.ts`. */
const sample: Sample = {
  ...{ id: 1000, varchar_any: "x", varchar_5: "y", char_5: "ab   ", text_any: "the text" },
  ...{ citext_any: "MiXed", name_any: "n", mail: "a@b.example", inet_any: "10.0.0.1" },
  ...{ cidr_any: "10.1.0.0/16", macaddr_any: "08:00:2b:01:02:03", ltree_any: "top.science" },
  ...{ xml_any: "<a/>", money_any: "$1,234.50", interval_any: "1 day 02:03:04" },
  ...{ tsvector_any: "'text':2 'the':1", mood: "ok" as const },
  ...{ smallint_any: 1, integer_any: 2, bigint_any: "9223372036854775807" },
  ...{ real_any: 0.5, double_any: 0.1, numeric_any: "1.500", numeric_5_2: "1.50" },
  timestamptz_any: "2026-01-02T01:04:05.678Z",
  timestamptz_0: "2026-01-02T03:04:05.000Z",
  timestamp_any: "2026-01-02T03:04:05.500",
  timestamp_3: "2026-01-02T03:04:05.678",
  ...{ date_any: "2026-01-02", time_any: "12:30:00.000", time_0: "12:30:15.000" },
  ...{ json_any: { b: [1, null] }, jsonb_any: "text", boolean_any: true },
  uuid_any: "0f0e0d0c-0b0a-4908-8706-050403020100",
  ...{ reals: [0.5], varchars: ["a,b"], smallints: [1, -2] },
  // The driver does not know arrays of an enum type.
  moods: "{sad,happy}",
  ...{ timestamps: ["2026-01-02T03:04:05.000"], times: ["12:30:00.000"], numerics: ["1.50"] },
  ...{ made: null, changed: "2026-01-02T00:00:00.000Z" },
};

test("tables of another tool are read and written by their names, and values have the generated types", async () => {
  const [added, read, byMood, accounts] = await inExistingTables(async (context) => {
    const kysely = unknown<Kysely<Database>>(context.kysely);
    const added: Customer = await kysely
      .insertInto("sales.Customer")
      .values({ "Customer Name": "Ann", MOOD: "ok" })
      .returningAll()
      .executeTakeFirstOrThrow();
    const { id: _, tsvector_any: __, moods: ___, ...values } = sample;
    await kysely
      .insertInto("public.samples")
      .values({
        ...values,
        ...{
          timestamptz_any: "2026-01-02T03:04:05.678+02:00",
          json_any: { b: [1, null] },
          jsonb_any: '"text"',
        },
        ...{ moods: ["sad", "happy"], numeric_5_2: 1.5, bigint_any: 9223372036854775807n },
        changed: new Date("2026-01-02T00:00:00Z"),
      })
      .execute();
    return [
      added,
      await kysely.selectFrom("public.samples").selectAll().executeTakeFirst(),
      await kysely.selectFrom("sales.sales_by_mood as by_mood").select(["mood", "by_mood.number"]).execute(),
      await kysely.selectFrom("users").select("email").execute().catch(String),
    ] as const;
  });
  expect(added).toMatchObject({ customer_id: 1000, nameLength: 3, credit: "12.35", "short code": null });
  expect(read).toEqual(sample);
  expect(byMood).toEqual([{ mood: "ok", number: 1 }]);
  expect(accounts).toMatch(/relation "users" does not exist/);
});
