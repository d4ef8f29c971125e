import { expect, test } from "vitest";
import { planMigration } from "#generator/migrations/plan";
import { enumRefusals } from "#generator/migrations/problems/enum-refusals";
import { type ChangeCase, definitionOf, tryChange } from "./try-change.ts";

type Field = Readonly<Record<string, unknown>>;

const moods = (fields: Readonly<Record<string, Field>>) => ({ people: { fields } });
const mood = (values: readonly string[], parts: Field = {}): Field => ({
  ...{ type: "string", db_type: "mood", enum: values, ...parts },
});
const labels = "SELECT enum_range(NULL::mood)::text AS values";
const before = moods({ mood: mood(["sad", "ok"]) });
const rows = "INSERT INTO people (mood) VALUES ('sad'), ('ok')";

// biome-ignore format: one case a line
const cases: readonly ChangeCase[] = [
  { title: "values before, between and after the others", before, rows, after: moods({ mood: mood(["low", "sad", "meh", "so", "ok", "happy"]) }),
    up: [[labels, [{ values: "{low,sad,meh,so,ok,happy}" }]]], down: [[labels, [{ values: "{low,sad,meh,so,ok,happy}" }]]] },
  { title: "a value that the same migration uses", before, rows, usesNewValues: true,
    after: moods({
      mood: mood(["sad", "ok", "happy"], { default: "happy" }), other: mood(["sad", "ok", "happy"], { default: "happy", index: true }),
      all: { type: "string[]", db_type: "mood[]", enum: ["sad", "ok", "happy"], default: ["happy"] },
    }),
    up: [
      ["SELECT mood::text, other::text, \"all\"::text FROM people ORDER BY id", [{ mood: "sad", other: "happy", all: "{happy}" }, { mood: "ok", other: "happy", all: "{happy}" }]],
      ["INSERT INTO people DEFAULT VALUES RETURNING mood::text", [{ mood: "happy" }]],
    ],
    down: [["INSERT INTO people DEFAULT VALUES RETURNING mood::text", [{ mood: null }]]] },
  { title: "a renamed value with its default", before: moods({ mood: mood(["sad", "ok"], { default: "sad" }) }), rows,
    after: moods({ mood: mood(["low", "ok", "happy"], { default: "low" }) }), accepted: ["rename_enum_value:mood.sad"],
    up: [["SELECT mood::text FROM people ORDER BY id", [{ mood: "low" }, { mood: "ok" }]], ["INSERT INTO people DEFAULT VALUES RETURNING mood::text", [{ mood: "low" }]]],
    down: [["SELECT mood::text FROM people ORDER BY id", [{ mood: "sad" }, { mood: "ok" }]], [labels, [{ values: "{sad,ok,happy}" }]]] },
  { title: "a text that gets an enum type", before: moods({ mood: { type: "text" } }), rows, after: before, accepted: ["set_type:people.mood"],
    up: [["SELECT mood::text FROM people WHERE mood = 'ok'::mood", [{ mood: "ok" }]]], down: [["SELECT mood FROM people WHERE mood = 'ok'", [{ mood: "ok" }]]] },
];

test.each(cases)("$title", ({ title: _, ...change }) => tryChange(change));

// biome-ignore format: one case a line
test.each([
  [["ok"], 'removes "sad"'],
  [["ok", "sad"], 'moves "sad", "ok"'],
  [["a", "b", "ok"], 'replaces "sad" by "a", "b", so it is not clear which value has a new name'],
])("%j is refused", async (values, why) => {
  const definition = await definitionOf(before);
  const { after } = planMigration(definition, { migration: null, tables: [] }, []);
  const models = moods({ mood: mood(values) });
  const changed = await definitionOf(models);
  const text = JSON.stringify(models, null, 2);
  const line = text.split("\n").findIndex((part) => part.includes('"enum"')) + 1;
  expect(enumRefusals(after.tables, changed, new Map([["models/models.json", text]]))).toEqual([
    `models/models.json:${line}: "enum" of people.mood ${why}, but PostgreSQL can only add and rename values of the type "mood": ` +
      'keep the order ["sad","ok"], and put new values between them. A value can be renamed in its place, in a run without ' +
      "other changes there. To stop using a value, refuse it in a hook or a check",
  ]);
});
