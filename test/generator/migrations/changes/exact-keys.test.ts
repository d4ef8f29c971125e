import { test } from "vitest";
import { type ChangeCase, tryChange } from "./try-change.ts";

const service = (key: object, reference: object) => ({
  goods: { fields: { code: { ...key, unique: true } } },
  lines: { fields: { code: reference } },
});
const refers = { type: "belongs_to", relationship: { model: "goods", foreign_key: "code" } };
const bigint = { type: "bigint" };
const decimal = { type: "decimal", precision: 12, scale: 2 };
const joined = "SELECT g.id, l.code::text FROM lines l JOIN goods g ON g.code = l.code";

// biome-ignore format: one case a line
const cases: readonly ChangeCase[] = [
  { title: "a bigint refers to a unique bigint",
    before: service(bigint, bigint),
    rows: "INSERT INTO goods (code) VALUES (9007199254740993); INSERT INTO lines (code) VALUES (9007199254740993)",
    after: service(bigint, refers),
    accepted: ["add_foreign_key:lines.lines_code_fkey"],
    up: [[joined, [{ id: "1", code: "9007199254740993" }]], ["INSERT INTO lines (code) VALUES (9007199254740992)", /"lines_code_fkey"/]],
    down: [["INSERT INTO lines (code) VALUES (9007199254740992)", []]],
  },
  { title: "what a reference refers to becomes a bigint, and it follows", before: service({ type: "integer" }, refers),
    rows: "INSERT INTO goods (code) VALUES (7); INSERT INTO lines (code) VALUES (7)", after: service(bigint, refers),
    up: [[joined, [{ id: "1", code: "7" }]], ["INSERT INTO lines (code) VALUES (8)", /"lines_code_fkey"/]],
    down: [["INSERT INTO lines (code) VALUES (8)", /"lines_code_fkey"/]] },
  { title: "what a reference refers to becomes a decimal, and it follows", before: service({ type: "integer" }, refers),
    rows: "INSERT INTO goods (code) VALUES (7); INSERT INTO lines (code) VALUES (7)", after: service(decimal, refers),
    up: [[joined, [{ id: "1", code: "7.00" }]], ["INSERT INTO lines (code) VALUES (7.01)", /"lines_code_fkey"/]],
    down: [[joined, [{ id: "1", code: "7" }]]] },
];

test.each(cases)("$title", tryChange);
