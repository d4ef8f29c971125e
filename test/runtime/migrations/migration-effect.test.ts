import { expect, test } from "vitest";
import { webAuth } from "#runtime/built-in-migrations/0003-web-auth";
import { effectOf } from "#runtime/migrations/index";
import type { Column, Step } from "#vocabulary/migration-steps";

const id = { name: "id", type: "bigint", nullable: false, default: "identity" } as const;
const text = { name: "note", type: "text", nullable: true } as const;
const add = (column: Column): Step => ({ step: "add_column", table: "books", column });
const index = { name: "books_note_idx", columns: ["note"], unique: false, live: false };
const nothing = { class: "additive", loses: [], makes: [], locksBriefly: [], reads: [], locks: [] };
const moment = { ...nothing, locksBriefly: ["books"] };

test.each<[string, readonly Step[], object]>([
  ["a new table", [{ step: "create_table", table: "tags", columns: [id] }], { ...nothing, makes: ["tags"] }],
  [
    "a new table with an index",
    [
      { step: "create_table", table: "tags", columns: [id, text] },
      { step: "add_index", table: "tags", index },
    ],
    { ...nothing, makes: ["tags"] },
  ],
  ["a column", [add(text)], moment],
  ["a required column with a default", [add({ ...text, nullable: false, default: { literal: "" } })], moment],
  [
    "a required column without one",
    [add({ ...text, nullable: false })],
    { ...moment, class: "breaks-older-code" },
  ],
  [
    "a column that each row has another value of",
    [add({ name: "key", type: "uuid", nullable: false, default: "random_uuid" })],
    { ...nothing, locks: ["books"] },
  ],
  [
    "an index",
    [{ step: "add_index", table: "books", index }],
    { ...moment, reads: ["books"], locksBriefly: [] },
  ],
  [
    "a required column",
    [{ step: "set_nullable", table: "books", column: "note", nullable: false }],
    { ...moment, reads: ["books"] },
  ],
  [
    "another type",
    [{ step: "set_type", table: "books", column: "pages", type: "text" }],
    {
      ...nothing,
      class: "destructive",
      loses: ["books.pages: what does not fit into text"],
      locks: ["books"],
    },
  ],
  [
    "an index that nothing can prepare",
    [
      { step: "set_type", table: "books", column: "note", type: "integer" },
      { step: "add_index", table: "books", index },
    ],
    { ...nothing, class: "destructive", locks: ["books"], loses: [expect.stringContaining("books.note")] },
  ],
  [
    "another name",
    [{ step: "rename_column", table: "books", column: "note", to: "remark" }],
    { ...moment, class: "breaks-older-code" },
  ],
  [
    "a table that goes",
    [{ step: "drop_table", table: "books" }],
    { ...moment, class: "destructive", loses: ["books: the table with all of its rows"] },
  ],
  [
    "one of the service's own",
    webAuth.up,
    { ...nothing, reads: ["auth_tokens"], locksBriefly: ["auth_tokens"] },
  ],
])("%s", (_, steps, effect) => {
  expect(effectOf(steps)).toEqual(effect);
});
