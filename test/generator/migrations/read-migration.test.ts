import fc from "fast-check";
import { expect, test } from "vitest";
import { loadTemplate } from "#generator/emit/templates";
import { migrationView } from "#generator/emit/views/migration-view";
import { readMigration } from "#generator/migrations/migration-header";
import { plannedChange } from "#generator/migrations/planned-change";
import type { Step } from "#vocabulary/migrations/migration-steps";

const path = "generated/migrations/0002_x.ts";

/** The text of a migration with these steps up and down. */
function printed(steps: readonly Step[]): string {
  const changes = steps.map((step) => plannedChange(step, "additive"));
  return loadTemplate("migration")(
    migrationView({ name: "0002_x", parent: "0001_initial", changes, down: steps }),
  );
}

const defaultTo = (literal: never): Step => ({
  step: "set_default",
  table: "books",
  column: "title",
  type: "jsonb",
  default: { literal },
});

test("a printed migration is parsed back to the same data, for all values", () => {
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom("__proto__", -1.5, 1e21));
  fc.assert(
    fc.property(values, (value) => {
      const steps = [defaultTo(JSON.parse(JSON.stringify(value)) as never)];
      const data = { name: "0002_x", parent: "0001_initial", up: steps, down: steps };
      expect(readMigration(path, printed(steps))).toEqual(data);
    }),
  );
});

test("the parts of a long list are put together", () => {
  const steps = Array.from({ length: 250 }, (_, index): Step => ({ step: "drop_table", table: `t${index}` }));
  const text = printed(steps);
  expect(text).toContain("...up3");
  expect(readMigration(path, text)).toMatchObject({ up: steps, down: steps });
});

const migration = (up: string, more = "") =>
  `${more}export const migration = defineMigration({ name: "0002_x", parent: null, down: [], up:\n${up} });\n`;

// biome-ignore format: one case a line
test.each([
  ["a call", migration("stepsOf(5)"), `${path}:2:1 is not data`],
  ["a constant", migration("[x]", "const x = 1;\n"), `${path}:3:2 is not data`],
  ["a spread of something else", migration("[...x]", "const x = 1;\n"), `${path}:3:2 is not data`],
  ["a list that spreads itself", migration("[...x]", "const x = [...x];\n"), `${path}:1:12 is not data`],
  ["a template with a value", migration("[`$" + "{x}`]"), `${path}:2:2 is not data`],
  ["a method", migration('[{ step() { return "drop_table"; } }]'), `${path}:2:4 is not data`],
  ["minus of a text", migration('[-"x"]'), `${path}:2:3 is not data`],
  ["a comma too few", migration('[{ step: "drop_table" table: "a" }]'), `${path}:2:23 cannot be read: ',' expected.`],
  ["a step that there is not", migration('[{ step: "drop_tabel", table: "a" }]'), `${path} is not a list`],
  ["a step without its column", migration('[{ step: "drop_column", table: "a" }]'), `${path} is not a list`],
  ["no migration", "export const x = 1;\n", `${path} declares no migration`],
])("%s is a problem with its place", (_, text, message) => {
  expect(() => readMigration(path, text)).toThrow(message);
});
