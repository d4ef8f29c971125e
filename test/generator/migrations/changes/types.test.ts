import { test } from "vitest";
import { type Retyped, retypedTables } from "./retyped.ts";
import { tryChange } from "./try-change.ts";

const text = { type: "text" };
// biome-ignore format: one case a line
const cases: readonly Retyped[] = [
  { from: { type: "string", max_length: 3 }, values: ["'abc'", "NULL"], to: { type: "string", max_length: 9 }, up: ["abc", null], down: ["abc", null],
    type: "character varying(9)", former: "character varying(3)" },
  { from: { type: "string", max_length: 9 }, values: ["'abcdef'"], to: { type: "string", max_length: 3 }, up: ["abc"], down: ["abc"],
    type: "character varying(3)", former: "character varying(9)", destructive: true },
  { from: { type: "string", max_length: 3 }, values: ["'abc'"], to: { type: "text", default: "quite" }, up: ["abc"], down: ["abc"], type: "text",
    former: "character varying(3)" },
  { from: text, values: ["'12'"], to: { type: "integer" }, up: ["12"], down: ["12"], type: "integer", former: "text", destructive: true },
  { from: text, values: ["'true'"], to: { type: "boolean" }, up: ["true"], down: ["true"], type: "boolean", former: "text", destructive: true },
  { from: text, values: ["'[1]'"], to: { type: "json" }, up: ["[1]"], down: ["[1]"], type: "jsonb", former: "text", destructive: true },
  { from: text, values: ["'0E9B1C6C-4A2B-4F33-9C4E-0123456789AB'"], to: { type: "uuid" }, up: ["0e9b1c6c-4a2b-4f33-9c4e-0123456789ab"],
    down: ["0e9b1c6c-4a2b-4f33-9c4e-0123456789ab"], type: "uuid", former: "text", destructive: true },
  { from: { type: "integer" }, values: ["3"], to: { type: "text", default: "a" }, up: ["3"], down: ["3"], type: "text", former: "integer",
    destructive: true },
  { from: { type: "integer" }, values: ["3"], to: { type: "float" }, up: ["3"], down: ["3"], type: "double precision", former: "integer" },
  { from: { type: "float" }, values: ["2.6"], to: { type: "integer" }, up: ["3"], down: ["3"], type: "integer", former: "double precision",
    destructive: true },
  { from: { type: "boolean", default: true }, values: ["true", "false"], to: { type: "integer", default: 5 }, up: ["1", "0"], down: ["true", "false"],
    type: "integer", former: "boolean", destructive: true },
  { from: { type: "integer" }, values: ["7", "0"], to: { type: "boolean" }, up: ["true", "false"], down: ["1", "0"], type: "boolean",
    former: "integer", destructive: true },
  { from: { type: "date" }, values: ["'2026-01-31'"], to: { type: "datetime" }, up: ["2026-01-31 00:00:00+00"], down: ["2026-01-31"],
    type: "timestamp(3) with time zone", former: "date" },
  { from: { type: "datetime" }, values: ["'2026-01-31T23:30:00.123Z'"], to: { type: "date" }, up: ["2026-01-31"], down: ["2026-01-31 00:00:00+00"],
    type: "date", former: "timestamp(3) with time zone", destructive: true },
  { from: { type: "json" }, values: ["'3'"], to: { type: "integer" }, up: ["3"], down: [null], again: [null], type: "integer", former: "jsonb",
    destructive: true },
  { from: { type: "date" }, values: ["'2026-01-31'"], to: { type: "integer" }, up: [null], down: [null], type: "integer", former: "date",
    destructive: "dropped" },
  { from: text, values: ["'secret'"], to: { type: "password" }, up: [null], down: [null], type: "text", former: "text", destructive: "dropped" },
  { from: { type: "password" }, values: ["'$2b$10$x'"], to: text, up: [null], down: [null], type: "text", former: "text", destructive: "dropped" },
];

test("values in their new types, back in the former ones, and again", () => tryChange(retypedTables(cases)));
