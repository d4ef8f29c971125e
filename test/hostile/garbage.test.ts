import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnsOf, type Model } from "#runtime/models/index";
import { errorCodes } from "#vocabulary/error-codes";
import { operators } from "#vocabulary/fields/filter-operators";
import { operationMethods, operations } from "#vocabulary/operations";
import { token } from "../support/model-service.ts";
import { expectEnvelope } from "../support/scenarios.ts";
import { runs } from "../support/seeded.ts";
import { folders, internals, papers, slips, startWorld, things } from "./support/models.ts";

/** JSON scalars as text, since some of them survive no `JSON.stringify`. */
// biome-ignore format: a list of values
const scalars = [
  "null", "true", "false", "0", "-0", "1", "-1", "1.5", "1e3", "1e400", "-1e400", "1e-400", "2147483647", "2147483648", "-2147483649",
  "9007199254740993", "9223372036854775807", "9223372036854775808", "123456789012345678901234567890", '""', '" "', '"1"', '"10abc"', '"NaN"',
  '"Infinity"', '"true"', '"null"', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"%"', '"_"', '"\\\\"',
  '"{1,2}"', '"[1,2]"', '"[\\"\\\\u0000\\"]"', '"[[1],[2]]"', '"[1"', '"a,b,,c"', '"2024-02-30"', '"2024-02-29"', '"0000-01-01"',
  '"9999-12-31T23:59:59.999-23:59"', '"0001-01-01T00:00:00+23:59"', '"2024-01-01T24:00"', '"2024-01-01T10:00:60Z"', '"2024-1-1"', '"infinity"',
  '"now"', '"epoch"', '"00000000-0000-0000-0000-000000000000"', '"{00000000-0000-0000-0000-000000000000}"', '"red"', '"it\'s"', '"a@example.org"',
  '"\u202e\ufeff"',
];

// biome-ignore format: a list of values
const strangeKeys = [
  "__proto__", "constructor", "toString", "hasOwnProperty", "", "a.b", "id__", "__", "$1", "?", "??",
];
const bodyKeys = ["data", "where", "query", "ids"];
const listParameters = ["limit", "page", "offset", "order_by", "order", "select_fields", "search_term"];

const models: readonly Model[] = [things, folders, papers, slips];

const model = fc.constantFrom(...models);
const operation = fc.constantFrom(...operations);
const fieldsOf = (of: Model) => [...columnsOf(of).keys()];

function filterName(of: Model): fc.Arbitrary<string> {
  const field = fc.constantFrom(...fieldsOf(of), ...strangeKeys);
  const suffix = fc.constantFrom("", "", ...operators.map((name) => `__${name}`), "__nope", "__eq");
  return fc.tuple(field, suffix).map(([name, operator]) => name + operator);
}

const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...scalars) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }).map((s) => JSON.stringify(s)) },
  { weight: 1, arbitrary: fc.double().map((n) => JSON.stringify(n)) },
);

function objectText(
  key: fc.Arbitrary<string>,
  value: fc.Arbitrary<string>,
  minLength = 0,
): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(key, value), { minLength, maxLength: 5 })
    .map((pairs) => `{${pairs.map(([name, v]) => `${JSON.stringify(name)}:${v}`).join()}}`);
}

const deep = fc.constantFrom(10, 63, 64, 65, 5000).map((n) => "[".repeat(n) + "]".repeat(n));
const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 2, arbitrary: fc.array(text, { maxLength: 4 }).map((items) => `[${items.join()}]`) },
  { weight: 1, arbitrary: objectText(fc.constantFrom("a", ...strangeKeys), text) },
  { weight: 1, arbitrary: deep },
);

/** A body that is nearly right, or anything at all. */
function bodyOf(of: Model): fc.Arbitrary<string | Uint8Array> {
  const field = fc.constantFrom(...fieldsOf(of), ...fieldsOf(of), ...strangeKeys);
  const record = objectText(field, anyText);
  const where = objectText(filterName(of), anyText);
  const records = fc.array(fc.oneof(record, anyText), { maxLength: 4 }).map((items) => `[${items.join()}]`);
  const ids = fc.array(text, { maxLength: 4 }).map((items) => `[${items.join()}]`);
  const value = fc.oneof(record, where, records, ids, anyText);
  const pair = fc.oneof(
    fc.tuple(fc.constant("data"), fc.oneof(record, records)),
    fc.tuple(fc.constantFrom("where", "query"), where),
    fc.tuple(fc.constantFrom(...bodyKeys, ...strangeKeys), value),
  );
  const shaped = fc
    .array(pair, { minLength: 1, maxLength: 3 })
    .map((pairs) => `{${pairs.map(([key, v]) => `${JSON.stringify(key)}:${v}`).join()}}`);
  return fc.oneof(
    { weight: 12, arbitrary: shaped },
    { weight: 1, arbitrary: anyText },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("", "{", "{}", "[]", '{"data":', "\ufeff{}", "{'data':{}}", "nul"),
    },
  );
}

const encoded = fc.oneof(
  { weight: 6, arbitrary: text.map((json) => encodeURIComponent(plain(json))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("%", "%zz", "%00", "%ED%A0%80", "%C0%80", "+", "%2B", "%E2%82", "&", "="),
  },
  { weight: 1, arbitrary: fc.constantFrom(300, 4000, 15_000).map((n) => "[".repeat(n)) },
);

function plain(json: string): string {
  const value: unknown = JSON.parse(json);
  return (typeof value === "string" ? value : json).toWellFormed();
}

function queryOf(of: Model): fc.Arbitrary<string> {
  const name = fc.oneof(filterName(of), fc.constantFrom(...listParameters));
  return fc
    .array(fc.tuple(name, encoded), { maxLength: 4 })
    .map((pairs) =>
      pairs.length === 0 ? "" : `?${pairs.map(([n, v]) => `${encodeURIComponent(n)}=${v}`).join("&")}`,
    );
}

// biome-ignore format: a list of values
const strangePaths = [
  "/", "//", "/things", "/things/", "/things/fetch/", "//things/fetch", "/things//fetch", "/things%2Ffetch",
  "/things/%66etch", "/things/fetch%00", "/things/fetch%", "/things/../vaults/fetch", "/things/fetch;a=b",
  "/THINGS/fetch", "/vaults/fetch", "/__proto__/fetch", "/constructor/constructor", "/things/__proto__",
  "/things/fetch.", "/healthz", "/readyz", "/healthz/x", "*",
];

const credentials: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 9,
    arbitrary: fc
      .constantFrom("user", "clerk", "admin", "guest", "*", "constructor")
      .map((role) => ({ authorization: `Bearer ${token(role, "1")}` })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { authorization: "" },
      { authorization: "Basic YTpi" },
      { authorization: "Bearer" },
      { authorization: "Bearer a.b.c" },
      { "x-api-key": "kk_0" },
      { authorization: `Bearer ${token("user", "9223372036854775808", { email: "%" })}` },
    ),
  },
);

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { "content-type": "text/plain" },
      { "content-type": "application/json; charset=latin1" },
      { "content-type": "application/merge-patch+json" },
      { "content-type": "" },
      { "content-encoding": "gzip" },
      { "x-request-id": "a b" },
      { "x-request-id": "x".repeat(200) },
      { cookie: "a=b; ;;=; __proto__=1" },
      { "x-http-method-override": "DELETE" },
      { origin: "https://evil.example" },
      { accept: "text/html" },
    ),
  },
);

interface Garbage {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | undefined;
}

/** A request that is wrong in some way, or not. */
const garbage: fc.Arbitrary<Garbage> = fc.tuple(model, operation).chain(([of, op]) => {
  const usual = operationMethods[op];
  return fc.record({
    method: fc.oneof(
      { weight: 10, arbitrary: fc.constant(usual) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "TRACE", "PROPFIND", "DELETE"),
      },
    ),
    path: fc.oneof(
      { weight: 12, arbitrary: queryOf(of).map((tail) => `/${of.slug}/${op}${tail}`) },
      { weight: 1, arbitrary: fc.constantFrom(...strangePaths) },
    ),
    body: usual === "GET" ? fc.constant(undefined) : fc.option(bodyOf(of), { nil: undefined, freq: 8 }),
    headers: fc.tuple(headers, credentials).map(([some, who]) => ({ ...some, ...who })),
  });
});

describe("random garbage at every route", async () => {
  const world = await startWorld();
  await world.db.query(`
      insert into folders (owner_id) values (1), (2);
      insert into papers (owner_id, title, code) select n % 3, 'b' || n, n from generate_series(1, 20) as n;
      insert into things (name, count, ratio, at, day) select n, n, n, now(), now() from generate_series(1, 20) as n;
      insert into slips (folder_id, code) select n % 2 + 1, n from generate_series(1, 20) as n;
    `);

  it("is answered with the envelope, never with a 5xx, and tells nothing", { timeout: 60_000 }, async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(garbage, async (wanted) => {
        statuses.add(await probe(wanted));
      }),
      runs(2000),
    );
    const health = await world.send({ path: "/readyz" });
    expect(health.status).toBe(200);
    // The garbage is no good if it never comes through.
    expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 405, 415, 431]);
  });

  async function probe(wanted: Garbage): Promise<number> {
    const reply = await world.send(wanted);
    expect(reply.status, `${reply.text} for ${JSON.stringify(wanted)}`).toBeLessThan(500);
    if (wanted.method === "HEAD") return reply.status;
    expectEnvelope(reply, wanted);
    if (reply.status === 200) return 200;
    expect(Object.keys(errorCodes)).toContain(reply.json.error);
    expect(reply.text).not.toMatch(internals);
    return reply.status;
  }
});
