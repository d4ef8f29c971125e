import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../../../runtime/database/index.ts";
import { runs } from "../../hostile/support/runs.ts";
import { afterFile } from "../../support/after-file.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { preconditionOf, Refused, refuse } from "../../support/precondition.ts";
import { silent } from "../../support/silent-log.ts";

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await testDatabase();
  await own.query(`
    CREATE TABLE gone (name text); INSERT INTO gone VALUES ('bad');
    CREATE TABLE items (n integer PRIMARY KEY)`);
  database = createDatabase({ url: own.url, maxConnections: 3, log: silent });
  afterFile(() => database.close());
});

/** What is sent, and the rows that come of it. A key is written once: the second one conflicts with it. */
const statements = {
  echo: { name: "echo", text: "SELECT $1::text || ' ' || pg_sleep(0)" },
  write: { name: "write", text: "INSERT INTO items SELECT $1::integer RETURNING n" },
  fail: { name: "fail", text: "SELECT 1 / ($1::integer * 0)" },
  unnamed: { name: null, text: "SELECT $1::text || ' ' || pg_sleep(0)" },
  "cannot be parsed": { name: "unknown", text: "SELECT unknown FROM items WHERE n = $1" },
  wide: { name: "wide", text: "SELECT *, $1::text FROM gone WHERE name = 'bad'" },
} as const;

const preconditions = {
  none: null,
  good: ["good", refuse],
  bad: ["bad", refuse],
  "bad, of another name": ["bad", { ...refuse, name: "another" }],
  "good, without a name": ["good", { ...refuse, name: null }],
  "bad, without a name": ["bad", { ...refuse, name: null }],
} as const;

/** What happens to connections and tables while others use them. */
const faults = {
  nothing: null,
  "all is forgotten": "DEALLOCATE ALL",
  "a table changes": "ALTER TABLE gone ADD IF NOT EXISTS more text",
  "it changes back": "ALTER TABLE gone DROP IF EXISTS more",
} as const;

const keys = <Name extends string>(of: Readonly<Record<Name, unknown>>) =>
  fc.constantFrom(...(Object.keys(of) as Name[]));
const step = fc.record({
  statement: keys(statements),
  precondition: keys(preconditions),
  fault: fc.option(keys(faults), { freq: 5, nil: "nothing" as const }),
});

let next = 0;

test("each caller is answered for itself, and nothing is run whose precondition fails", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const kept: number[] = [];
      const outcomes = steps.map(async ({ statement, precondition, fault }) => {
        const n = ++next;
        const asked = preconditions[precondition];
        const { precondition: sent, noted } = preconditionOf(asked?.[0] ?? "", asked?.[1]);
        const disturbed =
          faults[fault] === null ? null : database.run({ name: null, text: faults[fault] }, []);
        const told = await database
          .run(statements[statement], [n], asked === null ? null : sent)
          .catch((error: unknown) => error);
        await disturbed;
        if (asked?.[0] === "bad") {
          expect(told).toBeInstanceOf(Refused);
          expect(noted.held).toBe(0);
          return;
        }
        expect(told).not.toBeInstanceOf(Refused);
        if (asked !== null) expect(noted.held).toBeGreaterThan(0);
        if (statement === "fail") expect(told).toMatchObject({ code: "22012" });
        else if (statement === "cannot be parsed") expect(told).toMatchObject({ code: "42703" });
        else if (statement === "write") kept.push(n);
        const rows = { echo: [[`${n} `]], unnamed: [[`${n} `]], write: [[String(n)]] };
        if (statement in rows) expect(told).toEqual(rows[statement as keyof typeof rows]);
        if (statement === "wide") expect(told).toEqual([expect.arrayContaining(["bad", String(n)])]);
      });
      await Promise.all(outcomes);
      expect(database.connections()).toMatchObject({ used: 0, waiting: 0 });
      const rows = await own.query("DELETE FROM items RETURNING n");
      expect(rows.map(({ n }) => n).sort()).toEqual(kept.sort());
    }),
    runs(60),
  );
});
