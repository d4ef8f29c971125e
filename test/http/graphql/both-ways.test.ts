import { afterEach, describe, expect, test } from "vitest";
import { ServiceError } from "../../../runtime/index.ts";
import { type Asked, askBothWays } from "../../support/graphql-both-ways.ts";
import { library } from "../../support/graphql-library.ts";
import { type Rows, testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";
import { type StagedHooks, stage } from "../fixture/stage.ts";

const service = await testService();

afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

const gone = "2026-01-01T00:00:00Z";
const uuid = "0a000000-0000-4000-8000-00000000000a";
const other = "0b000000-0000-4000-8000-00000000000b";
const callers: readonly Caller[] = [null, { role: "user", sub: "7" }, "staff", "admin"];

/** Operations on one model, each asked by every caller on these rows. */
interface Table {
  readonly given: Rows;
  readonly model: string;
  readonly asked: readonly Omit<Asked, "model">[];
  readonly callers?: readonly Caller[];
  readonly plays?: StagedHooks;
}

const tasks: Table = {
  model: "tasks",
  given: {
    tasks: [
      { id: 1, title: "one", user: 7, project: "Alpha" },
      { id: 2, title: "two", user: 7, status: "done", list: "a", position: 1 },
      { id: 3, title: "three", user: 8, project: "alphabet" },
      { id: 4, title: "four", user: 8, status: "done" },
      { id: 5, title: "gone", user: 7, deleted_at: gone },
      { id: 6, title: "gone too", user: 8, status: "done", deleted_at: gone },
    ],
  },
  asked: [
    { run: "fetch", fields: ["id", "title", "user", "status", "deleted_at"] },
    { run: "fetch", where: { id: 3 } },
    { run: "fetch", where: { deleted_at: { is_null: false } } },
    { run: "fetch", order: "-title", limit: 2, fields: ["title"] },
    { run: "fetch", limit: 0 },
    { run: "fetch", where: { nothing: 1 } },
    { run: "fetch", order: "nothing" },
    { run: "search", search: "ALPHA", fields: ["id", "project"] },
    { run: "search", search: "t", where: { status: "done" } },
    { run: "search", search: "%" },
    { run: "create", data: { title: "new", user: 7 } },
    { run: "create", data: { title: "new", user: 8 } },
    { run: "create", data: { title: "new", user: 7, status: "done" } },
    { run: "create", data: { title: "one", user: 7 } },
    { run: "create", data: { title: "gone", user: 7 } },
    { run: "create", data: { title: "new", user: 7, list: "a", position: 1 } },
    { run: "create", data: { user: 7 } },
    { run: "create", data: { title: "new", user: "7" } },
    { run: "create", data: { title: "new", status: "nonsense" } },
    { run: "create", data: { title: null } },
    { run: "create", data: { title: "new", nothing: 1, user: 7 } },
    { run: "create", data: { title: "new", id: 9 } },
    { run: "create", data: { title: "new", created_at: gone } },
    { run: "create", data: { title: "new", deleted_at: gone } },
    { run: "create", data: {} },
    { run: "create" },
    { run: "update", where: { id: 1 }, data: { project: "p" } },
    { run: "update", where: { title: { like: "t" } }, data: { project: "p" } },
    { run: "update", where: { id: { in: [1, 2] } }, data: { project: "p" } },
    { run: "update", where: { user: 8 }, data: { project: "p" } },
    { run: "update", where: { id: 1 }, data: { user: 8 } },
    { run: "update", where: { id: 1 }, data: { status: "done" } },
    { run: "update", where: { id: 3 }, data: { user: 7 } },
    { run: "update", where: { id: 99 }, data: { project: "p" } },
    { run: "update", where: { id: 5 }, data: { project: "p" } },
    { run: "update", where: { id: 1 }, data: { title: "two" } },
    { run: "update", where: { id: { in: [1, 3] } }, data: { title: "same" } },
    { run: "update", where: { id: 1 }, data: { title: null } },
    { run: "update", where: { id: 1 }, data: { id: 2 } },
    { run: "update", where: { id: 1 }, data: {} },
    { run: "update", where: {}, data: { project: "p" } },
    { run: "update", where: { deleted_at: null }, data: { project: "p" } },
    { run: "update", data: { project: "p" } },
    { run: "update", where: { id: 1 } },
    { run: "update", where: { id: "x" }, data: { project: "p" } },
    { run: "update", where: { nothing: 1 }, data: { nothing: 1 } },
    { run: "upsert", data: { title: "one", user: 7, project: "p" } },
    { run: "upsert", data: { title: "three", user: 7 } },
    { run: "upsert", data: { title: "new", user: 7 } },
    { run: "upsert", data: { title: "gone", user: 7 } },
    { run: "upsert", data: { id: 1, title: "one", user: 7 } },
    { run: "upsert", data: { id: 99, title: "one", user: 7 } },
    { run: "upsert", data: { user: 7 } },
    { run: "upsert", data: { title: "one", list: "a", position: 1, user: 7 } },
    { run: "delete", ids: [1] },
    { run: "delete", ids: [1, 2, 1] },
    { run: "delete", ids: [1, 3] },
    { run: "delete", ids: [1, 99] },
    { run: "delete", ids: [5] },
    { run: "delete", ids: [] },
    { run: "delete", ids: ["x"] },
    { run: "delete", where: { user: 7 } },
    { run: "delete", where: { status: "done" } },
    { run: "delete", where: { id: 99 } },
    { run: "delete", where: {} },
    { run: "delete", where: { deleted_at: { is_null: false } } },
    { run: "delete", where: { id: 1 }, ids: [1] },
    { run: "delete" },
    { run: "destroy", ids: [1, 5] },
    { run: "destroy", where: { user: 7 } },
    { run: "destroy", where: { user: 8 } },
    { run: "destroy", where: { title: { ilike: "GONE" } } },
    { run: "destroy", ids: [99] },
    { run: "destroy", where: {} },
    { run: "restore", where: { id: 5 }, data: { deleted_at: null } },
    { run: "restore", where: { id: 6 }, data: { deleted_at: null } },
    { run: "restore", where: { user: 7 }, data: { status: "open" } },
    { run: "restore", where: { id: 5 }, data: { title: "one" } },
    { run: "restore", where: { id: 5 }, data: { deleted_at: gone } },
    { run: "restore", where: { id: 1 }, data: { deleted_at: null } },
    { run: "restore", where: { id: 5 }, data: {} },
    { run: "restore", where: {}, data: { deleted_at: null } },
    { run: "restore", data: { deleted_at: null } },
    { run: "restore", where: { id: 5 } },
  ],
};

const docs: Table = {
  model: "docs",
  callers: [{ role: "user", sub: "7" }, "writer", "editor", "admin"],
  given: {
    docs: [
      { id: 1, code: "a", author: 7, folder: "f", place: 1 },
      { id: 2, code: "b", author: 8 },
      { id: 3, code: "c", author: 7, draft: false },
    ],
  },
  asked: [
    { run: "fetch", fields: ["id", "code", "draft"] },
    { run: "search", search: "a" },
    { run: "upsert", data: { code: "a", author: 7 } },
    { run: "upsert", data: { code: "b", author: 7 } },
    { run: "upsert", data: { code: "c", author: 7 } },
    { run: "upsert", data: { code: "new", author: 7 } },
    { run: "upsert", data: { code: "new", author: 7, folder: "f", place: 1 } },
    { run: "upsert", data: { folder: "f", place: 1 } },
    { run: "update", where: { code: "a" }, data: { place: 5 } },
    { run: "update", where: { code: { neq: "a" } }, data: { place: 5 } },
    { run: "delete", ids: [1] },
    { run: "delete", where: { author: 7 } },
    { run: "delete", where: { code: "b" } },
    { run: "destroy", ids: [2] },
    { run: "restore", where: { id: 1 }, data: { deleted_at: null } },
  ],
};

const people: Table = {
  model: "people",
  callers: [...callers, "stranger"],
  given: {
    people: [
      { id: 1, name: "Ann", nick: "zed", salary: 5, badge: "b", open: "o", file: { a: 1 }, secret: "$2" },
      { id: 2, name: "Bob", nick: "ann", salary: 6 },
      { id: 3, name: "Gone", salary: 7, deleted_at: gone },
    ],
  },
  asked: [
    ...["id", "name", "nick", "salary", "badge", "sealed", "open", "file", "secret", "created_at"].flatMap(
      (field): Omit<Asked, "model">[] => [
        { run: "fetch", fields: [field] },
        { run: "fetch", fields: ["open"], where: { [field]: null } },
        { run: "fetch", fields: ["open"], order: `-${field}` },
        { run: "search", search: "zed", fields: ["open"], order: field },
        { run: "create", data: { name: "new", [field]: null } },
        { run: "update", where: { [field]: { is_null: false } }, data: { open: "x" } },
        { run: "update", where: { open: "o" }, data: { [field]: field === "file" ? {} : "x" } },
        { run: "upsert", data: { name: "new", salary: 5, [field]: "x" } },
        { run: "delete", where: { [field]: { is_null: false } } },
        { run: "destroy", where: { [field]: null } },
        { run: "restore", where: { [field]: { is_null: false } }, data: { deleted_at: null } },
      ],
    ),
    { run: "search", search: "ann", fields: ["open"] },
    { run: "search", search: "zed", fields: ["name"] },
    { run: "create", data: { name: "new" } },
    { run: "create", data: { name: "new", salary: "x" } },
    { run: "create", data: { name: "new", salary: 5 } },
    { run: "create", data: { name: "new", secret: "hunter22" } },
    { run: "delete", ids: [1] },
    { run: "destroy", where: { open: "o" } },
    { run: "fetch", where: { salary: "x", nothing: 1 } },
    { run: "fetch", limit: 0, fields: ["salary"] },
  ],
};

const filters = (field: string, value: string | number | boolean): Omit<Asked, "model">[] =>
  [
    value,
    null,
    ...["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike"].map((operator) => ({ [operator]: value })),
    { in: [value] },
    { nin: [value] },
    { in: [] },
    { nin: [] },
    { is_null: true },
    { is_null: false },
    { nonsense: value },
  ].map((filter) => ({ run: "fetch", where: { [field]: filter } }));

const things: Table = {
  model: "things",
  callers: [null, "admin"],
  given: {
    things: [
      {
        id: 1,
        string: "apple",
        integer: -5,
        float: 0.5,
        boolean: false,
        date: "2026-01-31",
        email: "a@example.org",
      },
      {
        id: 2,
        string: "Banana",
        integer: 7,
        boolean: true,
        datetime: "2026-01-01T00:00:00Z",
        size: "large",
        grade: 1,
      },
      { id: 3, json: { a: [1] }, uuid, text: "A%_\\'" },
      { id: 4, twin_id: 1 },
      { id: 5, string: "cherry" },
      { id: 6 },
    ],
  },
  asked: [
    { run: "fetch" },
    {
      run: "fetch",
      fields: [
        "id",
        "string",
        "integer",
        "float",
        "boolean",
        "datetime",
        "date",
        "email",
        "json",
        "uuid",
        "size",
        "grade",
        "twin_id",
      ],
    },
    { run: "fetch", limit: 99 },
    { run: "fetch", limit: "x" },
    { run: "fetch", limit: -1 },
    { run: "fetch", order: "string" },
    { run: "fetch", order: "-string" },
    { run: "fetch", order: "-id", limit: 2 },
    { run: "fetch", order: "json" },
    { run: "fetch", order: "password" },
    { run: "fetch", fields: ["password"] },
    { run: "fetch", where: { integer: { gt: -6, lt: 0 }, boolean: false } },
    { run: "fetch", where: { string: { like: "%an%" } } },
    { run: "fetch", where: { text: { like: "%_\\" } } },
    { run: "search", search: "AN" },
    { run: "search", search: "_\\" },
    { run: "search", search: "a", where: { integer: { gt: 0 } } },
    { run: "create", data: { integer: 1.5 } },
    { run: "create", data: { integer: 2147483648 } },
    { run: "create", data: { boolean: "true" } },
    { run: "create", data: { date: "2026-02-30" } },
    { run: "create", data: { datetime: "2026-01-01T10:00+02:00" } },
    { run: "create", data: { email: "nonsense" } },
    { run: "create", data: { email: "A@Example.org", json: { b: [null, { c: 1.5 }] }, float: 1e300 } },
    { run: "create", data: { uuid: "x" } },
    { run: "create", data: { size: "medium", grade: 3 } },
    { run: "create", data: { twin_id: 1 } },
    { run: "create", data: { twin_id: 99 } },
    { run: "create", data: { twin: 1 } },
    { run: "create", data: { string: "x".repeat(256) } },
    { run: "create", data: { json: null } },
    { run: "create", data: { constructor: 1 } },
    { run: "create", data: { password: "a secret" } },
    { run: "update", where: { id: 1 }, data: { twin_id: 99 } },
    { run: "update", where: { string: "apple", integer: { lte: -5 } }, data: { float: null } },
    { run: "update", where: { integer: { eq: 7 }, nothing: 1 }, data: { float: 1 } },
    { run: "update", where: { integer: { in: [] } }, data: { float: 1 } },
    { run: "update", where: { integer: { nin: [] } }, data: { float: 1 } },
    { run: "update", where: { password: "x" }, data: { float: 1 } },
    { run: "destroy", ids: [1] },
    { run: "destroy", where: { boolean: { is_null: true } } },
  ],
};

const everyOperator: Table = {
  ...things,
  callers: [null],
  asked: [
    ...filters("integer", 7),
    ...filters("integer", "x"),
    ...filters("float", 0.5),
    ...filters("string", "apple"),
    ...filters("boolean", true),
    ...filters("date", "2026-01-31"),
    ...filters("datetime", "2026-01-01"),
    ...filters("datetime", "yesterday"),
    ...filters("email", "a@example.org"),
    ...filters("uuid", uuid),
    ...filters("size", "large"),
    ...filters("size", "medium"),
    ...filters("grade", 1),
    ...filters("json", "x"),
    ...filters("password", "x"),
    ...filters("twin_id", 1),
    ...filters("id", 3),
    ...filters("deleted_at", "x"),
    ...filters("nothing", 1),
  ],
};

const strict: Table = {
  model: "strict",
  callers: ["admin"],
  given: { strict_rows: [] },
  asked: [
    { run: "create", data: {} },
    ...(
      [
        {},
        { string: "a" },
        { string: "abcdef" },
        { string: "A1" },
        { integer: 0 },
        { integer: 11 },
        { float: 0.1 },
        { boolean: null },
        { date: "x", datetime: "x", timestamp: "x" },
        { email: "x" },
        { json: null },
        { size: "x" },
        { pin: "a" },
        { id: uuid },
        { id: "x" },
      ] as const
    ).map(
      (data): Omit<Asked, "model"> => ({
        run: "create",
        data: {
          string: "abc",
          text: "t",
          integer: 5,
          float: 1,
          boolean: true,
          datetime: gone,
          timestamp: gone,
          date: "2026-01-01",
          email: "a@example.org",
          json: {},
          uuid,
          size: "small",
          id: other,
          ...data,
        },
      }),
    ),
  ],
};

const notes: Table = {
  model: "notes",
  callers: [null, "admin"],
  given: {
    notes: [
      { id: uuid, body: "a", code: "c" },
      { id: other, body: "b", code: "c", deleted_at: gone },
    ],
  },
  asked: [
    { run: "fetch", fields: ["id", "body", "code"] },
    { run: "fetch", where: { id: uuid.toUpperCase() } },
    { run: "fetch", where: { id: "x" } },
    { run: "upsert", data: { id: uuid, body: "new" } },
    { run: "upsert", data: { id: other, body: "new" } },
    { run: "upsert", data: { body: "new", code: "c" } },
    { run: "upsert", data: { code: "c" } },
    { run: "delete", ids: [uuid] },
    { run: "delete", ids: [uuid.toUpperCase(), uuid] },
    { run: "delete", ids: [other] },
    { run: "delete", ids: ["x"] },
    { run: "destroy", ids: [other, uuid] },
    { run: "restore", where: { id: other }, data: { deleted_at: null } },
    { run: "restore", where: { id: other }, data: { code: "d" } },
  ],
};

const books: Table = {
  model: "books",
  given: library,
  asked: [
    { run: "fetch", fields: ["id", "title", "author_id", "editor", "publisher_id", "vault_id"] },
    { run: "fetch", fields: ["id", "note"] },
    { run: "fetch", where: { author_id: 1 }, order: "-pages" },
    { run: "fetch", where: { author: 1 } },
    { run: "fetch", where: { chapters: 1 } },
    { run: "search", search: "gem" },
    { run: "create", data: { title: "new", author_id: 1 } },
    { run: "create", data: { title: "new", author_id: 2 } },
    { run: "create", data: { title: "new", author_id: 99 } },
    { run: "create", data: { title: "new", author_id: "1" } },
    { run: "create", data: { title: "new", isbn: "a1", author_id: 1 } },
    { run: "create", data: { title: "new", author: 1 } },
    { run: "create", data: { title: "new", chapters: [] } },
    { run: "update", where: { author_id: 1 }, data: { pages: 5 } },
    { run: "update", where: { id: 2 }, data: { author_id: 1 } },
    { run: "update", where: { id: 1 }, data: { author_id: 2 } },
    { run: "update", where: { note: "hidden gem" }, data: { pages: 1 } },
    { run: "delete", where: { author_id: { in: [1, 2] } } },
    { run: "delete", ids: [1, 4] },
    { run: "destroy", ids: [1] },
    { run: "restore", where: { id: 5 }, data: { deleted_at: null } },
  ],
};

const hooked = {
  hooked: [
    { id: 1, name: "one", number: 1, code: "c" },
    { id: 2, name: "two", number: 2, code: "c" },
    { id: 3, name: "gone", code: "c", deleted_at: gone },
  ],
};
const everything: Table["asked"] = [
  { run: "fetch", where: { number: { gt: 0 } }, order: "-name", limit: 2, fields: ["id", "name"] },
  { run: "fetch", where: { name: { in: ["one", "gone"] }, number: null } },
  { run: "search", search: "ON", fields: ["id", "name", "number"] },
  { run: "create", data: { name: "new", number: 5, code: "c" } },
  { run: "create", data: { name: "new" } },
  { run: "create", data: { name: "one", code: "c" } },
  { run: "update", where: { id: 1, name: { like: "n" } }, data: { number: 7 } },
  { run: "update", where: { number: { nin: [7] } }, data: { name: "one" } },
  { run: "upsert", data: { name: "one", number: 5, code: "d" } },
  { run: "upsert", data: { name: "new", number: 5, code: "d" } },
  { run: "delete", where: { number: { lte: 2 } } },
  { run: "delete", ids: [2, 1, 2] },
  { run: "destroy", where: { id: 3 } },
  { run: "destroy", ids: [1] },
  { run: "restore", where: { id: 3 }, data: { number: 3 } },
];
const refusal = () => {
  throw new ServiceError("NOT_FOUND", "not today", { field: "name" });
};
const bug = () => {
  throw new Error("a bug");
};

const hookTables: readonly (readonly [name: string, plays: StagedHooks])[] = [
  ["that only look", {}],
  [
    "that change what is asked",
    {
      before_fetch: (value) => ({ ...value, where: { number: 2 } }),
      before_search: (value) => ({ ...value, search_term: "two" }),
      before_create: (value) => ({ ...value, code: "z", guarded: "g" }),
      before_upsert: (value) => ({ ...value, code: "z" }),
      before_update: ({ where }) => ({ where, data: { number: 9, guarded: "g" } }),
      before_delete: () => ({ where: { id: 2 } }),
      before_destroy: () => ({ ids: [2] }),
      before_restore: ({ where }) => ({ where, data: { number: 4 } }),
    },
  ],
  [
    "that refuse before",
    {
      before_fetch: refusal,
      before_search: refusal,
      before_create: refusal,
      before_update: refusal,
      before_upsert: refusal,
      before_delete: refusal,
      before_destroy: refusal,
      before_restore: refusal,
    },
  ],
  [
    "that refuse after",
    {
      after_fetch: refusal,
      after_search: refusal,
      after_create: refusal,
      after_update: refusal,
      after_upsert: refusal,
      after_delete: refusal,
      after_destroy: refusal,
      after_restore: refusal,
    },
  ],
  [
    "that are broken",
    { after_fetch: bug, before_search: bug, after_create: bug, before_update: bug, after_delete: bug },
  ],
  [
    "that turn pages and order",
    {
      before_fetch: (value) => ({ ...value, page: 2, limit: 1, order_by: "name", order: "DESC" }),
      before_search: (value) => ({ ...value, offset: 1, limit: 1 }),
      before_delete: () => ({ where: { name: "two", number: 2 } }),
      before_restore: () => ({ where: { id: 3 }, data: { name: "back" } }),
    },
  ],
  [
    "that make nonsense of what is asked",
    {
      before_fetch: (value) => ({ ...value, where: JSON.parse('{"nothing":1}') }),
      before_search: (value) => ({ ...value, limit: -1 }),
      before_create: () => JSON.parse('{"name":5}'),
      before_update: ({ where }) => ({ where, data: {} }),
      before_upsert: () => JSON.parse('{"number":5,"nothing":1}'),
      before_delete: () => ({ where: {} }),
      before_destroy: () => JSON.parse('{"where":{"id":1},"ids":[1]}'),
      before_restore: () => JSON.parse('{"where":{"id":"x"},"data":{"name":5}}'),
    },
  ],
  [
    "that make nothing of it",
    {
      before_fetch: () => JSON.parse("null"),
      before_create: () => JSON.parse("null"),
      before_update: () => JSON.parse("null"),
      before_upsert: () => JSON.parse("[]"),
      before_delete: () => JSON.parse("{}"),
      before_destroy: () => JSON.parse("5"),
      before_restore: () => JSON.parse('"x"'),
    },
  ],
  [
    "that mask what was written",
    {
      after_create: (row) => ({ ...row, name: "masked" }),
      after_upsert: (row) => ({ ...row }),
    },
  ],
  [
    "that change rows of lists",
    {
      after_fetch: (rows) => rows.map((row) => ({ ...row, name: "masked" })),
      after_search: (rows) => rows.slice(1),
    },
  ],
];

const tables: readonly (readonly [string, Table])[] = [
  ...[tasks, docs, people, things, strict, notes, books].map((table) => [table.model, table] as const),
  ["every operator", everyOperator],
  ...hookTables.map(([name, plays]): readonly [string, Table] => [
    `hooks ${name}`,
    { model: "hooked", given: hooked, asked: everything, callers: ["user", "admin"], plays },
  ]),
];

describe.each(tables)("GraphQL and REST do and answer the same: %s", (_, table) => {
  const { model, given, asked, plays = {} } = table;
  const rows = asked.map((operation) => [titleOf(operation), { model, ...operation }] as const);
  test.each(rows)("%s", async (_title, operation) => {
    for (const as of table.callers ?? callers) {
      const { rest, graphql } = await askBothWays(service, operation, { given, as, plays });
      expect(graphql, `asked by ${JSON.stringify(as)}`).toEqual(rest);
    }
  });
});

function titleOf({ run, ...operation }: Omit<Asked, "model">): string {
  return `${run} ${JSON.stringify(operation)}`.replaceAll("%", "%%").slice(0, 120);
}
