import { expect, test } from "vitest";
import { rebasedRenames } from "#generator/migrations/rebased-renames";
import type { Table } from "#generator/migrations/schema";
import type { Step } from "#vocabulary/migrations/migration-steps";

const column = (name: string) => ({ name, type: "text", nullable: true }) as const;
const books: Table = {
  model: "books",
  name: "books",
  columns: [column("a"), column("b")],
  indexes: [],
  foreignKeys: [],
  checks: [],
};
const to = (name: string, other: string): Step => ({
  step: "rename_column",
  table: "books",
  column: name,
  to: other,
});
const add = (name: string): Step => ({ step: "add_column", table: "books", column: column(name) });
const drop = (name: string): Step => ({ step: "drop_column", table: "books", column: name });

// biome-ignore format: one case a line
test.each<[string, Step[], [string, string][]]>([
  ["over several names", [to("a", "c"), to("c", "d")], [["a", "d"]]],
  ["there and back", [to("a", "c"), to("c", "a")], []],
  ["names that change places", [to("a", "c"), to("b", "a"), to("c", "b")], [["b", "a"], ["a", "b"]]],
  ["a column that is new", [add("c"), to("c", "d")], []],
  ["one that went", [to("a", "c"), drop("c")], []],
  ["one that went and came again", [drop("a"), add("a"), to("a", "c")], []],
  ["a former name that another one takes", [to("a", "c"), add("a")], [["a", "c"]]],
])("%s", (_, steps, expected) => {
  const [renames] = rebasedRenames([books], steps);
  expect([...(renames?.columns ?? [])]).toEqual(expected);
});

test("a table that went has no new name, nor has one that is made under its name", () => {
  const steps: Step[] = [
    { step: "rename_table", table: "books", to: "titles" },
    { step: "drop_table", table: "titles" },
    { step: "create_table", table: "books", columns: [] },
    { step: "rename_table", table: "books", to: "novels" },
  ];
  expect(rebasedRenames([books], steps.slice(0, 1))).toEqual([
    { from: "books", to: "titles", columns: new Map() },
  ]);
  expect(rebasedRenames([books], steps)).toEqual([]);
});
