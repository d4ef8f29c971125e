import { expect, test } from "vitest";
import { inRunningOrder, nameFreedFor } from "#vocabulary/migrations/migration-order";
import type { Column, Step } from "#vocabulary/migrations/migration-steps";

const migration = (name: string, ...up: Step[]) => ({ name, up });
const column: Column = { name: "nickname", type: "text", nullable: true };
const accounts = migration("accounts", { step: "create_table", table: "users", columns: [] });
const counters = migration("counters", { step: "create_table", table: "counters", columns: [] });
const later = migration("later", { step: "add_column", table: "users", column });

const names = (builtIn: (typeof accounts)[], app: (typeof accounts)[]) =>
  inRunningOrder(builtIn, app).map(({ name }) => name);

test("those of the service come first", () => {
  const books = migration("books", { step: "create_table", table: "books", columns: [] });
  expect(names([accounts, counters], [books])).toEqual(["accounts", "counters", "books"]);
});

test("what frees the name of a table goes ahead of what takes it, with all that it builds on", () => {
  const baseline = migration("baseline", { step: "create_table", table: "users", columns: [] });
  const renaming = migration("renaming", { step: "rename_table", table: "users", to: "app_users" });
  const more = migration("more", { step: "drop_table", table: "books" });
  expect(names([counters, accounts], [baseline, renaming, more])).toEqual([
    ...["counters", "baseline", "renaming", "accounts", "more"],
  ]);
  expect(nameFreedFor(renaming, accounts)).toBe("users");
});

test.each<Step>([
  { step: "rename_column", table: "users", column: "nickname", to: "alias" },
  { step: "drop_column", table: "users", column: "nickname" },
])("so does what frees the name of a column: $step", (step) => {
  const [adds, frees] = [migration("adds", later.up[0] ?? step), migration("frees", step)];
  expect(names([accounts, counters, later], [adds, frees])).toEqual([
    ...["accounts", "counters", "adds", "frees", "later"],
  ]);
  expect(nameFreedFor(frees, accounts)).toBeNull();
  expect(nameFreedFor(frees, later)).toBe("users.nickname");
});

const index = { name: "users_role_idx", columns: ["role"], unique: false, live: false };
const indexed = migration("indexed", { step: "add_index", table: "users", index });

test.each<Step>([
  { step: "rename_index", table: "people", name: index.name, to: "people_role_idx" },
  { step: "rename_constraint", table: "people", name: index.name, to: "people_role_key" },
  { step: "drop_index", table: "people", name: index.name },
])("so does what frees the name of an index, on whichever table: $step", (step) => {
  expect(names([accounts, indexed], [migration("other"), migration("frees", step)])).toEqual([
    ...["accounts", "other", "frees", "indexed"],
  ]);
  expect(nameFreedFor(migration("frees", step), indexed)).toBe(index.name);
});

test("a primary key that must have the name that a table of the service would get goes ahead", () => {
  const primaryKey = { name: "users_pkey", columns: ["code"] };
  const people = migration("people", { step: "create_table", table: "people", columns: [], primaryKey });
  expect(names([accounts, counters], [people])).toEqual(["people", "accounts", "counters"]);
  expect(nameFreedFor(people, accounts)).toBeNull();
});
