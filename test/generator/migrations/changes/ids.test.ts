import { test } from "vitest";
import { type ChangeCase, tryChange } from "./try-change.ts";

const string = { type: "string" };
const to = (model: string, parts: object = {}, relation: object = {}) => ({
  type: "belongs_to",
  relationship: { model, ...relation },
  ...parts,
});

/** People with a boss, badges of one person each, and entries by badge. */
const people = (idType: string, parts: object = {}) => ({
  people: { id_type: idType, fields: { name: string, boss_id: to("people") } },
  badges: { fields: { colour: string, person_id: to("people", { required: true, unique: true }) } },
  entries: { fields: { person: to("badges", {}, { foreign_key: "person_id" }) } },
  ...parts,
});
const rows = (one: string, two: string) =>
  `INSERT INTO people (id, name, boss_id) VALUES (${one}, 'ann', NULL), (${two}, 'bob', ${one});
   INSERT INTO badges (colour, person_id) VALUES ('red', ${two}); INSERT INTO entries (person) VALUES (${two}), (NULL)`;
const uuid = (digit: number) => `'${digit}0000000-0000-4000-8000-000000000000'`;

const joined: ChangeCase["up"] = [
  [
    `SELECT p.name, boss.name AS boss, b.colour FROM entries e JOIN badges b ON b.person_id = e.person
     JOIN people p ON p.id = b.person_id JOIN people boss ON boss.id = p.boss_id`,
    [{ name: "bob", boss: "ann", colour: "red" }],
  ],
  ["SELECT count(*)::int AS count FROM entries WHERE person IS NULL", [{ count: 1 }]],
  ["INSERT INTO badges (colour) VALUES ('blue')", /null value in column "person_id"/],
  ["INSERT INTO badges (person_id) SELECT person_id FROM badges", /"badges_person_id_key"/],
  ["DELETE FROM people WHERE name = 'ann'", /"people_boss_id_fkey"/],
  ["DELETE FROM people WHERE name = 'bob'", /"badges_person_id_fkey"/],
  ["DELETE FROM badges", /"entries_person_fkey"/],
  ["INSERT INTO people SELECT * FROM people", /"people_pkey"/],
];
const typed = (type: string): ChangeCase["up"][number] => [
  `SELECT DISTINCT format_type(atttypid, NULL) AS type FROM pg_attribute WHERE NOT attisdropped AND
   (attrelid::regclass::text, attname) IN (('people', 'id'), ('people', 'boss_id'), ('badges', 'person_id'), ('entries', 'person'))`,
  [{ type }],
];

const integers = [...joined, typed("bigint")];
const uuids = [...joined, typed("uuid")];

// biome-ignore format: one case a line
const cases: readonly ChangeCase[] = [
  { title: "numbers become uuids, and all that refers to them follows", before: people("integer"),
    rows: `${rows("11", "12")}; ALTER TABLE people ALTER id RESTART WITH 20`, after: people("uuid"), accepted: ["set_id_type:people"],
    up: [...uuids, ["INSERT INTO people (name) VALUES ('eve') RETURNING length(id::text)", [{ length: 36 }]]],
    down: [...integers, ["INSERT INTO people (name) VALUES ('eve') RETURNING id", [{ id: "3" }]]] },
  { title: "uuids become numbers, and all that refers to them follows", before: people("uuid"), rows: rows(uuid(1), uuid(2)),
    after: people("integer"), accepted: ["set_id_type:people"],
    up: [...integers, ["INSERT INTO people (name) VALUES ('eve') RETURNING pg_typeof(id)::text AS type", [{ type: "bigint" }]]], down: uuids },
  { title: "together with a new name of the model and of a field, a reference that must be there, and an index",
    before: { shops: { fields: { name: string } }, books: { fields: { shop_id: to("shops") } } },
    rows: "INSERT INTO shops (name) VALUES ('s'), ('t'); INSERT INTO books (shop_id) VALUES (2)",
    after: { stores: { renamed_from: "shops", id_type: "uuid", fields: { name: { type: "text" } } },
      books: { fields: { shelf: string, store_id: to("stores", { renamed_from: "shop_id", required: true }, { on_delete: "cascade" }) },
        indexes: [["shelf", "store_id"]] },
    },
    accepted: ["set_id_type:stores", "set_nullable:books.store_id"],
    up: [
      ["SELECT s.name FROM books b JOIN stores s ON s.id = b.store_id", [{ name: "t" }]],
      ["INSERT INTO books DEFAULT VALUES", /null value in column "store_id"/],
      ["SELECT indexname AS name FROM pg_indexes WHERE indexname LIKE 'books%idx' ORDER BY 1",
        [{ name: "books_shelf_store_id_idx" }, { name: "books_store_id_idx" }]],
    ],
    down: [["SELECT s.name FROM books b JOIN shops s ON s.id = b.shop_id", [{ name: "t" }]],
      ["INSERT INTO books DEFAULT VALUES RETURNING shop_id", [{ shop_id: null }]]],
  },
  { title: "the ids of two models that refer to each other",
    before: { a: { fields: { name: string, b_id: to("b") } }, b: { id_type: "uuid", fields: { name: string, a_id: to("a") } } },
    rows: `INSERT INTO a (id, name) VALUES (5, 'a'); INSERT INTO b (id, name, a_id) VALUES (${uuid(1)}, 'b', 5);
           UPDATE a SET b_id = ${uuid(1)}`,
    after: { a: { id_type: "uuid", fields: { name: string, b_id: to("b") } }, b: { fields: { name: string, a_id: to("a") } } },
    accepted: ["set_id_type:a", "set_id_type:b"],
    up: [["SELECT a.name AS a, b.name AS b FROM a JOIN b ON b.id = a.b_id AND b.a_id = a.id", [{ a: "a", b: "b" }]],
      ["INSERT INTO a (b_id) VALUES (99)", /"a_b_id_fkey"/]],
    down: [["SELECT a.name AS a, b.name AS b FROM a JOIN b ON b.id = a.b_id AND b.a_id = a.id", [{ a: "a", b: "b" }]]],
  },
];

test.each(cases)("$title", tryChange);
