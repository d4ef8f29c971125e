import pg from "pg";
import { expect, test } from "vitest";
import { inMutation, sendWith } from "../../support/code-in-hooks.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const printedForms = `bytea_output = 'escape', DateStyle = 'SQL, DMY', IntervalStyle = 'iso_8601', TimeZone = 'Asia/Tokyo',
  extra_float_digits = '-10'`;

/** A database whose settings print values in other forms. */
async function withOtherForms(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  for (const setting of printedForms.split(/,\s+(?=\w+ =)/))
    await client.query(`alter database ${name} set ${setting}`);
  await client.end();
  return url;
}

const service = await testService({}, { reach: withOtherForms });

const given = {
  samples: [
    {
      id: 7,
      decimal: "12.5",
      bigint: "9007199254740993",
      time: "12:30:00.5",
      bigints: "{1,9007199254740993}",
      decimals: "{1.5}",
      floats: "{0.1,1e21}",
      booleans: "{true}",
      datetimes: "{0044-03-15T00:00:00Z}",
      dates: "{0044-03-15,2026-01-02}",
      times: "{08:00:00.25}",
      step: "-3",
    },
  ],
};

const answered = {
  id: 7,
  decimal: "12.50",
  bigint: "9007199254740993",
  time: "12:30:00.500",
  bigints: ["1", "9007199254740993"],
  decimals: ["1.500"],
  floats: [0.1, 1e21],
  booleans: [true],
  datetimes: ["0044-03-15T00:00:00.000Z"],
  dates: ["0044-03-15", "2026-01-02"],
  times: ["08:00:00.250"],
  step: "-3",
};

test("knex and context.db give hooks the values that the API returns", async () => {
  await service.store(given);
  const fetched = await service.send({ method: "GET", path: "/samples/fetch" }, "admin");
  expect(fetched.envelope.data).toMatchObject([answered]);
  const { value } = await inMutation(service, async ({ transaction, db }) => [
    await transaction("samples").first(Object.keys(answered)),
    await db.samples.get(7),
  ]);
  expect(value).toMatchObject([answered, answered]);
});

test("a time zone that a hook sets for its transaction changes no moment", async () => {
  await service.store(given);
  const moments = ["0044-03-14T16:02:03.456Z", "1800-01-02T00:00:00.500Z"];
  const stored = moments.map((moment) => `'${moment}'::timestamptz`).join();
  await service.query(`update samples set datetimes = array[${stored}] where id = 7`);
  const { value } = await inMutation(service, async ({ transaction, db, sql }) => {
    await transaction.raw("set local timezone = 'Asia/Tokyo'");
    return [
      await transaction("samples").first("datetimes"),
      await db.samples.get(7),
      ...(await sql`select datetimes from samples`),
    ];
  });
  expect(value).toMatchObject(Array(3).fill({ datetimes: moments }));
});

test("knex gives each type in the form of the API, of other types as pg does", async () => {
  const { value } = await inMutation(service, async ({ transaction, sql }) => {
    const { rows } =
      await transaction.raw(`select timestamptz '0044-03-15 01:02:03.4567+09' as moment, '\\x01ff'::bytea as bytes,
      timestamp '2026-01-02 03:04:05' as local, array['2026-01-02'::date] as days, 0.1::float8 + 0.2::float8 as float,
      count(*) as count, 9007199254740993 as wide, array[1.50] as decimals, '[9007199254740993]'::jsonb as json,
      interval '1 day 2 hours' as interval, time '12:30' as time`);
    const [own] =
      await sql`select '\\x01ff'::bytea as bytes, 0.1::float8 + 0.2::float8 as float, interval '1 day 2 hours' as interval`;
    return { row: rows[0], own };
  });
  expect(value.row).toMatchObject({
    moment: "0044-03-14T16:02:03.456Z",
    bytes: Buffer.from([1, 255]),
    local: "2026-01-02T03:04:05.000",
    days: ["2026-01-02"],
    float: 0.1 + 0.2,
    count: 1,
    wide: "9007199254740993",
    decimals: ["1.50"],
    json: [9007199254740993n],
    interval: { days: 1, hours: 2 },
    time: "12:30:00.000",
  });
  expect(value.own).toEqual({ bytes: Buffer.from([1, 255]), float: 0.1 + 0.2, interval: "1 day 02:00:00" });
});

// biome-ignore format: many a line
test.each([
  "'infinity'::timestamptz", "'0044-03-15 BC'::date", "'NaN'::numeric", "array['NaN'::float8]", "time '24:00'",
])("a value that the API does not hold is an error: %s", async (literal) => {
  const code = [
    (context: Parameters<Parameters<typeof inMutation>[1]>[0]) =>
      context.transaction.raw(`select ${literal} as odd`),
    ({ sql }: Parameters<Parameters<typeof inMutation>[1]>[0]) =>
      sql(Object.assign([`select ${literal} as odd`], { raw: [`select ${literal} as odd`] })),
  ];
  for (const run of code) {
    let failure: unknown;
    const { reply } = await inMutation(service, async (context) => {
      await run(context).catch((error: unknown) => {
        failure = error;
        throw error;
      });
    }).catch(() => ({ reply: null }));
    expect(reply).toBeNull();
    expect(failure).toMatchObject({ code: "DATABASE_ERROR", status: 500 });
  }
});

test("the request that met it is 500 DATABASE_ERROR", async () => {
  const reply = await sendWith(
    service,
    { before_fetch: async (_, { sql }) => void (await sql`select 'infinity'::date as odd`) },
    "admin",
    { method: "GET", path: "/hooked/fetch" },
  );
  expect(outcome(reply)).toBe("500 DATABASE_ERROR");
});
