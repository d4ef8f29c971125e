import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { existingTables } from "./existing-tables.ts";

/** Values of a column: as sent, and as answered if that differs. */
type Case = readonly [field: string, sent: Json, answered?: Json];

const long = "9".repeat(40);

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  ["varchar_any", "x".repeat(3000)], ["varchar_any", ""],
  ["varchar_5", "ééééé"],
  ["char_5", "ab"], ["char_5", "abcde"],
  ["text_any", "a\nb\t\"c\" \\ ☃"],
  ["citext_any", "MiXed"],
  ["name_any", "n".repeat(63)],
  ["mail", "a@b.example"],
  ["inet_any", "10.0.0.1"], ["inet_any", "2001:db8::1/64"],
  ["cidr_any", "10.1.0.0/16"],
  ["macaddr_any", "08:00:2b:01:02:03"],
  ["ltree_any", "top.science"],
  ["xml_any", "<a><b/></a>"],
  ["money_any", "$1,234.50"], ["money_any", "-$92,233,720,368,547,758.08"],
  ["interval_any", "1 day 02:03:04.000005"], ["interval_any", "-1 years -2 mons +3 days"],
  ["mood", "ok"],
  ["smallint_any", 32_767], ["smallint_any", -32_768],
  ["integer_any", 2_147_483_647], ["integer_any", -2_147_483_648],
  ["bigint_any", "9223372036854775807"], ["bigint_any", "-9223372036854775808"],
  ["real_any", 0.1], ["real_any", 3.4028235e38], ["real_any", 1e-45], ["real_any", 16_777_216],
  ["double_any", 0.1], ["double_any", 1.7976931348623157e308], ["double_any", 5e-324],
  ["numeric_any", `${long}.${long}`], ["numeric_any", "1.500", "1.500"], ["numeric_any", -7, "-7"],
  ["numeric_5_2", "-999.99"], ["numeric_5_2", "1.5", "1.50"],
  ["timestamptz_any", "9999-12-31T23:59:59.999999Z"], ["timestamptz_any", "2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05.000000Z"],
  ["timestamptz_0", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"], ["timestamptz_0", "2026-01-02T03:04:05.00Z", "2026-01-02T03:04:05.000Z"],
  ["timestamp_any", "0001-01-01T00:00:00.000001Z"], ["timestamp_any", "2026-01-02", "2026-01-02T00:00:00.000000Z"],
  ["timestamp_3", "2026-01-02T03:04:05.678Z"],
  ["date_any", "0001-01-01"], ["date_any", "9999-12-31"],
  ["time_any", "23:59:59.999999"], ["time_any", "12:30", "12:30:00.000000"],
  ["time_0", "12:30:15", "12:30:15.000"],
  ["json_any", { b: 1, a: [null, "x", 1.5], c: {} }], ["json_any", "text"],
  ["jsonb_any", { a: [1, 2] }],
  ["boolean_any", true], ["boolean_any", false],
  ["uuid_any", "0f0e0d0c-0b0a-4908-8706-050403020100"],
  ["reals", [0.1, -2.5e-10]], ["reals", []],
  ["varchars", ["a,b", "\"c\""]],
  ["smallints", [1, -32_768]],
  ["moods", ["sad", "happy"]], ["moods", []],
  ["timestamps", ["2026-01-02T03:04:05.678901Z"]],
  ["times", ["12:30:00.000001"]],
  ["numerics", ["1.50", "-999.99"]],
];

const unfiltered = new Set(["json_any", "jsonb_any"]);

describe("a value of each type", async () => {
  const service = await existingTables();

  test.each(cases.map(([field, sent, answered = sent]) => [field, sent, answered] as const))(
    "%s holds %j",
    async (field, sent, answered) => {
      const created = await service.send({
        method: "POST",
        path: "/samples/create",
        body: { data: { [field]: sent } },
      });
      expect(created.envelope).toMatchObject({ status: "success", data: { [field]: answered } });
      const { id } = created.envelope.data as { id: number };
      const one = `id=${id}`;

      // The answered value finds the row, in REST and in GraphQL.
      const filter = Array.isArray(answered) ? `${field}__contains` : field;
      const value = Array.isArray(answered) ? JSON.stringify(answered) : String(answered);
      const where =
        unfiltered.has(field) || value === "" ? one : `${one}&${filter}=${encodeURIComponent(value)}`;
      const fetched = await service.send({ method: "GET", path: `/samples/fetch?${where}` });
      expect(fetched.envelope).toMatchObject({ data: [{ id, [field]: answered }] });
      if (!unfiltered.has(field)) {
        const counted = await service.send({
          method: "GET",
          path: `/samples/count?${field}__is_null=true&${one}`,
        });
        expect(counted.envelope.data).toEqual({ count: 0 });
      }

      // Written again as it was answered, it is the same value.
      const mutation = `mutation ($input: SamplesUpdate!) { updateSamples(input: $input, where: { id: ${id} }) { ${field} } }`;
      const updated = await service.send({
        method: "POST",
        path: "/graphql",
        body: { query: mutation, variables: { input: { [field]: answered } } },
      });
      expect(updated.envelope.data).toEqual({ updateSamples: [{ [field]: answered }] });
      const filters = unfiltered.has(field) ? "" : `, ${field}: ${JSON.stringify(answered)}`;
      const query = `{ samples(id: ${id}${filters}) { ${field} } }`;
      const queried = await service.send({ method: "POST", path: "/graphql", body: { query } });
      expect(queried.envelope.data).toEqual({ samples: [{ [field]: answered }] });
    },
  );
});

test("code copies a row by its answered values", async () => {
  const service = await existingTables("INSERT INTO samples (id) VALUES (1);");
  const last = Object.fromEntries(cases.map(([field, sent]) => [field, sent]));
  await service.send({ method: "PUT", path: "/samples/update", body: { where: { id: 1 }, data: last } });
  const copied = await service.send({
    method: "POST",
    path: "/countries/create",
    body: { data: { id: "XX", name: "copy of 1" } },
  });
  expect(copied.envelope).toMatchObject({ status: "success" });
  const rows = await service.query(
    "SELECT (to_jsonb(s) - 'id' - 'made' - 'changed')::text AS row FROM samples s ORDER BY id",
  );
  expect(rows).toHaveLength(2);
  expect(rows[1]).toEqual(rows[0]);
});

const limited = await existingTables("INSERT INTO samples (id) VALUES (1);");

// biome-ignore format: one case a line
test.each<readonly [field: string, value: Json, message: string]>([
  ["varchar_5", "abcdef", "must have at most 5 characters"],
  ["varchar_5", "abcde ", "must have at most 5 characters"],
  ["char_5", "abcdef", "must have at most 5 characters"],
  ["name_any", "é".repeat(40), "must have at most 63 bytes in UTF-8"],
  ["mood", "glad", "must be one of sad, ok, happy, null"],
  ["smallint_any", 32_768, "must be at most 32767"],
  ["integer_any", 2_147_483_648, "must be at most 2147483647"],
  ["bigint_any", "9223372036854775808", "must be a whole number between -9223372036854775808 and 9223372036854775807"],
  ["real_any", 1e39, "must be at most 3.4028235e+38"],
  ["numeric_5_2", "1.234", "must be a decimal with at most 3 digits before the point and at most 2 after it"],
  ["timestamptz_0", "2026-01-02T03:04:05.1Z", "must have whole seconds"],
  ["timestamp_any", "2026-01-02T03:04:05.1234567Z", "must have at most 6 digits of a second after the point"],
  ["timestamp_3", "2026-01-02T03:04:05.1234+05:30", "must have at most 3 digits of a second after the point"],
  ["time_0", "12:30:15.5", "must have whole seconds"],
  ["time_any", "12:30:15.1234567", "must be a time of day, HH:mm or HH:mm:ss.ssssss"],
  ["varchars", ["a", "abcdef"], "[1] must have at most 5 characters"],
  ["times", ["12:30:15.1234567"], "[0] must be a time of day, HH:mm or HH:mm:ss.ssssss"],
])("a limit of the column: %s cannot be %j", async (field, value, message) => {
  const service = limited;
  for (const line of ["POST /samples/create", "PUT /samples/update"]) {
    const [method = "", path = ""] = line.split(" ");
    const body = { ...(method === "PUT" && { where: { id: 1 } }), data: { [field]: value } };
    const { envelope, status } = await service.send({ method, path, body });
    expect([status, envelope.details?.["field"], envelope.message], line).toEqual([400, field, expect.stringContaining(message)]);
  }
});

test("types that PostgreSQL prints have only equality, and no order", async () => {
  const service = limited;
  const fields = [
    "inet_any",
    "cidr_any",
    "macaddr_any",
    "ltree_any",
    "xml_any",
    "money_any",
    "interval_any",
    "tsvector_any",
  ];
  for (const field of fields)
    for (const query of [`${field}__gt=1`, `${field}__like=1`, `order_by=${field}`]) {
      const { status } = await service.send({ method: "GET", path: `/samples/fetch?${query}` });
      expect(status, query).toBe(400);
    }
});

test("the database writes a tsvector, and no caller", async () => {
  const service = await existingTables();
  const sent = await service.send({
    method: "POST",
    path: "/samples/create",
    body: { data: { text_any: "a b" } },
  });
  expect(sent.envelope).toMatchObject({ data: { tsvector_any: "'a':1 'b':2" } });
  const refused = await service.send({
    method: "POST",
    path: "/samples/create",
    body: { data: { tsvector_any: "x" } },
  });
  expect([refused.status, refused.envelope.details]).toEqual([403, { field: "tsvector_any" }]);
});

describe("values out of range", async () => {
  const service =
    await existingTables(`INSERT INTO samples (id, real_any, numeric_any, timestamptz_any, date_any, time_any, made, reals) VALUES
    (1, 'NaN', 'Infinity', 'infinity', '0044-03-15 BC', '24:00', '-infinity', '{1.5,NaN}'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (3, 1.5, 1.5, '2026-01-01', '2026-01-01', '12:00', '2026-01-01', '{1.5}');
    INSERT INTO sales."Customer" (customer_id, "Customer Name", "MOOD", removed_at) VALUES (1, 'gone', 'sad', 'infinity');`);
  const fields = ["real_any", "numeric_any", "timestamptz_any", "date_any", "time_any", "created_at"];

  test("are null in rows, lists and joins", async () => {
    const nothing = Object.fromEntries(fields.map((field) => [field, null]));
    const { envelope } = await service.send({ method: "GET", path: "/samples/fetch?id=1" });
    expect(envelope.data).toEqual([expect.objectContaining({ ...nothing, reals: null })]);
    const query = `{ samples(id: 1) { ${fields.join(" ")} reals } }`;
    const queried = await service.send({ method: "POST", path: "/graphql", body: { query } });
    expect(queried.envelope.data).toEqual({ samples: [{ ...nothing, reals: null }] });
  });

  test("are in no aggregate", async () => {
    const query = "{ samples_aggregate { max { real_any numeric_any timestamptz_any } min { date_any } } }";
    const { envelope } = await service.send({ method: "POST", path: "/graphql", body: { query } });
    expect(envelope.data).toEqual({
      samples_aggregate: [
        {
          max_real_any: 1.5,
          max_numeric_any: "1.5",
          max_timestamptz_any: "2026-01-01T00:00:00.000000Z",
          min_date_any: "2026-01-01",
        },
      ],
    });
  });

  test.each(fields)("no filter finds %s", async (field) => {
    const idsOf = async (query: string) => {
      const { envelope } = await service.send({ method: "GET", path: `/samples/fetch?${query}` });
      return (envelope.data as { id: number }[]).map(({ id }) => id);
    };
    const isNumber = field === "real_any" || field === "numeric_any";
    const some = isNumber ? "0" : field === "time_any" ? "11:00" : "2020-01-01";
    expect(await idsOf(`${field}__is_null=true`)).toEqual([2]);
    expect(await idsOf(`${field}__is_not_null=true`)).toEqual([3]);
    expect(await idsOf(`${field}__ne=${some}`)).toEqual([3]);
    expect(await idsOf(`${field}__gt=${some}`)).toEqual([3]);
    expect(await idsOf(`${field}__lt=${some}`)).toEqual([]);
    expect(await idsOf(`order_by=${field}`)).toEqual([3, 1, 2]);
  });

  test("a row that is deleted at such a time stays deleted", async () => {
    const { envelope } = await service.send({ method: "GET", path: "/customers/fetch" });
    expect(envelope.data).toEqual([]);
  });

  test("without the key they are an error", async () => {
    await service.query("INSERT INTO samples (id, double_any) VALUES (4, 'NaN')");
    const { status } = await service.send({ method: "GET", path: "/samples/fetch?id=4" });
    expect(status).toBe(500);
  });
});
