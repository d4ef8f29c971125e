import { expect, test } from "vitest";
import { describeChange, describeStatuses } from "#runtime/commands/migrate-output";
import { linkMigration } from "#runtime/migrations/index";
import { changeOf } from "#runtime/migrations/plan/migration-change";

const migration = linkMigration({
  name: "0002_own",
  parent: "0001_initial",
  sql: {
    class: "additive",
    up: ["CREATE TABLE a ();", "CREATE VIEW b AS SELECT 1"],
    down: "DROP VIEW b; DROP TABLE a",
    batches: [{ table: "books", size: 100, sql: "UPDATE books SET x = 1 WHERE id BETWEEN $1 AND $2;" }],
  },
});

test("a dry run prints own SQL as it runs, and what down may lose", () => {
  expect(describeChange(changeOf(migration, "up"))).toBe(`-- 0002_own up
-- in one transaction
CREATE TABLE a ();
CREATE VIEW b AS SELECT 1;
-- for all rows of books, 100 rows at a time
UPDATE books SET x = 1 WHERE id BETWEEN $1 AND $2;

`);
  expect(describeChange(changeOf(migration, "down"))).toBe(`-- 0002_own down
-- loses 0002_own: whatever its own SQL takes away
-- in one transaction
DROP VIEW b; DROP TABLE a;

`);
});

test("the status of what is half-way says how far it is", () => {
  const progress = "1 text and 2000 rows done, 40 % of a back-fill";
  const [line] = describeStatuses([{ name: "0002_own", state: "begun", appliedAt: null, progress }]);
  expect(line).toBe(
    `begun      ${" ".repeat(24)} 0002_own, ${progress} (is being worked on, or was left half-way: then the next up goes on with it, ` +
      "and down takes back what is done)\n",
  );
});

test.each([
  ["DROP INDEX i; DROP TRIGGER t ON b; DROP FUNCTION f() CASCADE", true],
  ["DROP INDEX i; DROP VIEW v; -- DROP TABLE x\nDROP POLICY p ON b", false],
  ["DO $$ BEGIN EXECUTE 'DROP TABLE b'; END $$", true],
  ["CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ DELETE FROM b; SELECT 1 $$", false],
  ["DELETE FROM b", true],
  ["ALTER TABLE b DROP CONSTRAINT c", false],
  ["ALTER TABLE b DROP COLUMN c", true],
])("to take back with %j may lose data: %j", (down, loses) => {
  const own = linkMigration({
    name: "0002_own",
    parent: null,
    sql: { class: "additive", up: "SELECT 1", down },
  });
  expect(describeChange(changeOf(own, "down")).includes("-- loses")).toBe(loses);
});
