import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { testDatabase } from "../../../support/database.ts";
import { adoptedProject } from "../adopted-project.ts";

const schema = `
  CREATE EXTENSION citext;
  CREATE TABLE items (id serial PRIMARY KEY, until timestamptz, created_at timestamptz DEFAULT now());
  INSERT INTO items (until, created_at) VALUES ('infinity', 'infinity');
  CREATE TABLE shares (
    id serial PRIMARY KEY, item_id integer REFERENCES items, level integer, state text DEFAULT 'open', code citext, padded char(5),
    twice integer GENERATED ALWAYS AS (level * 2) STORED, stamp text DEFAULT upper('auto' || now()::text), at timestamp, place point
  );
`;

const noHigherShare = { _not: { item: { shares: { level: { _gt: 5 } } } } };
const lasting = "until has values that conditions take for null";

/** Permissions by the roles that have them, with the reason why one is closed: the rule would allow what Hasura does not. */
// biome-ignore format: one case a line
const cases: Readonly<Record<string, readonly [operation: string, permission: Json, closed: string | null]>> = {
  a: ["insert", { columns: ["level"], check: noHigherShare }, "the written row could be the one that must not exist"],
  b: ["update", { columns: ["level"], filter: {}, check: noHigherShare }, "the written row could be the one that must not exist"],
  c: ["update", { columns: ["level"], filter: noHigherShare, check: {} }, null],
  d: ["insert", { columns: ["item_id"], check: { item: { shares: { level: { _gt: 5 } } } } }, null],
  e: ["update", { columns: ["level"], filter: {}, check: { twice: { _lte: 100 } } }, "the database sets twice after the check"],
  f: ["update", { columns: ["level"], filter: { twice: { _lte: 100 } } }, null],
  g: ["insert", { columns: ["level"], check: { stamp: { _is_null: true } } }, "the database sets stamp after the check"],
  h: ["insert", { columns: ["level"], check: {}, set: { stamp: null } }, "it sets stamp: set it in a hook or a preset"],
  i: ["insert", { columns: ["level"], check: {}, set: { state: null } }, "it sets state: set it in a hook or a preset"],
  j: ["insert", { columns: ["level"], check: {}, set: { padded: null } }, null],
  k: ["insert", { columns: ["level"], check: {}, set: { code: "abc" } }, "it sets code: set it in a hook or a preset"],
  l: ["select", { columns: "*", filter: { _not: { item: { until: { _gt: "now()" } } } } }, lasting],
  m: ["select", { columns: "*", filter: { item: { until: { _is_null: true } } } }, lasting],
  m2: ["select", { columns: "*", filter: { item: { created_at: { _is_null: true } } } }, "created_at has values that conditions take for null"],
  n: ["select", { columns: "*", filter: { state: { _nlike: "a\\_%" } } }, "conditions cannot say _nlike with the value of state"],
  o: ["select", { columns: "*", filter: { state: { _nlike: "X-Hasura-User-Id" } } }, "conditions cannot say _nlike with the value of state"],
  p: ["select", { columns: "*", filter: { padded: { _like: "ab" } } }, "conditions cannot say _like with the value of padded"],
  q: ["select", { columns: "*", filter: { at: { _gt: "2026-01-01T12:00:00+02:00" } } }, "a time is not now()"],
  r: ["select", { columns: "*", filter: { at: { _gt: "now()" } } }, null],
  "s\u0007": ["select", { columns: "*", filter: {} }, 'the role "s\\u0007" has another meaning in Kirak: docs/hasura.md#accounts'],
};

test("permissions that would be wider are closed", async () => {
  const { url, query } = await testDatabase();
  await query(schema);
  const project = adoptedProject(url);
  mkdirSync(join(project.root, "metadata/databases"), { recursive: true });
  project.write("metadata/version.yaml", "version: 3");
  const using = (key: Json) => ({ foreign_key_constraint_on: key });
  const ofCases = Object.entries(cases);
  const permissions = (operation: string) =>
    ofCases.filter(([, [one]]) => one === operation).map(([role, [, permission]]) => ({ role, permission }));
  const items = {
    table: "items",
    array_relationships: [{ name: "shares", using: using({ column: "item_id", table: "shares" }) }],
  };
  const shares = {
    table: "shares",
    object_relationships: [{ name: "item", using: using("item_id") }],
    select_permissions: [
      ...permissions("select"),
      { role: "listed", permission: { columns: ["*", "level", "place", "gone"], filter: {} } },
    ],
    insert_permissions: permissions("insert"),
    update_permissions: permissions("update"),
  };
  const databases = [{ name: "default", kind: "postgres", tables: [items, shares] }];
  project.write("metadata/databases/databases.yaml", databases);
  const { status, stderr } = await project.introspect("--hasura", "metadata");
  expect(status).toBe(0);
  const closed = new Map<string, string>();
  for (const [, role = "", reason = ""] of stderr.matchAll(/: closed: \w+ of (\S+) on shares: (.*)/g))
    closed.set(role, reason);
  const expected = ofCases.flatMap(([role, [, , reason]]) =>
    reason === null ? [] : [[role.replace("\u0007", "\\u0007"), reason] as const],
  );
  expect(closed).toEqual(new Map(expected));
  expect(stderr).toContain("select of listed on shares: place is no field\n");
  expect(stderr).toContain("select of listed on shares: gone is no field\n");
  const { access } = JSON.parse(project.read("models/models.json")).shares;
  expect(access.fields.level.read).toContain("listed");
  expect(access.fields.state.read).not.toContain("listed");
  expect((await project.generate()).exitCode).toBe(0);
});
