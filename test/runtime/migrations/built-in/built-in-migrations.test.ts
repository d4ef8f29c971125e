import { expect, test } from "vitest";
import { sameTables } from "#generator/migrations/read-history";
import { replay } from "#generator/migrations/replay";
import { usersTable } from "#generator/migrations/schema-file";
import { builtInMigrations } from "#runtime/migrations/built-in/index";
import { checksumOf } from "#runtime/migrations/runner/history/migration-checksum";
import { isBuiltIn } from "#runtime/migrations/runner/index";
import { internalTables } from "#vocabulary/migrations/internal-tables";

const tables = replay(builtInMigrations.flatMap(({ up }) => up));

test("released migrations are unchanged", () => {
  expect(builtInMigrations.map((migration) => [migration.name, checksumOf(migration)])).toEqual([
    ["kirak_0001_accounts", "8781ca75bbd1236dcb4289bd7e49c9f2d8e40b707a108e7ce71605fcc0442553"],
    ["kirak_0002_rate_limits", "e9837e9f8047bbd21fb0568e942ed1c935e9305c4db730a48135b00770969f2b"],
    ["kirak_0003_web_auth", "4943c537b706ffa357d097f2ca406a0dd41ae1baca2d0a61d169e669afdf9733"],
    ["kirak_0004_account_management", "85198e76b0f87ce41bcd5c26b2d7aa04480e94a83ed6a32e27d33a03cc34f7c6"],
  ]);
});

test("they have names that no migration of an app has, and build on each other", () => {
  expect(builtInMigrations.every(({ name }) => isBuiltIn(name))).toBe(true);
  const names = builtInMigrations.map(({ name }) => name);
  expect(builtInMigrations.map(({ parent }) => parent)).toEqual([null, ...names.slice(0, -1)]);
  expect(builtInMigrations.flatMap(({ down }) => down)).toEqual([]);
});

test("they make the tables and indexes whose names no app may take", () => {
  const made = tables.map(({ name, indexes }) => [name, indexes.map((index) => index.name)]);
  expect(Object.fromEntries(made)).toEqual(internalTables);
});

test("they make the table of users as its fields say", () => {
  const users = tables.filter(({ name }) => name === "users");
  expect(sameTables(users, [usersTable])).toBe(true);
});
