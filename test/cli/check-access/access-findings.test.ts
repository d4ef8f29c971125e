import { expect, test } from "vitest";
import { coveredRules, forgottenTenants } from "#cli/check-access/access-findings";
import { project } from "../../generator/support/project.ts";

const notes = (access: object) => ({
  notes: { fields: { title: { type: "string" }, rank: { type: "integer" } }, access },
});

async function definitionOf(models: object) {
  const { definition } = await project(models).generate({ mode: "definition" });
  if (definition === null) throw new Error("the models have errors");
  return definition;
}

// biome-ignore format: one case a line
test.each<[string, object[], string[]]>([
  ["a wider condition", [{ role: "user", condition: "rank = 1 AND title = 'a'" }, { role: "user", condition: "rank = 1" }], ["rank = 1 AND title = 'a'"]],
  ["all rows", [{ role: "user", condition: "rank > 5" }, { role: "user" }], ["rank > 5"]],
  ["a group of roles", [{ role: "user", condition: "rank = 2" }, { role: "signed_in", condition: "rank IN (2, 3)" }], ["rank = 2"]],
  ["an equal rule: the first one stays", [{ role: "user", condition: "rank = 1" }, { role: "user", condition: "rank = 1" }], ["rank = 1"]],
  ["nothing", [{ role: "user", condition: "rank = 1" }, { role: "user", condition: "rank = 2" }, { role: "staff" }], []],
])("a rule is covered by %s", async (_, fetch, covered) => {
  const definition = await definitionOf(notes({ fetch }));
  const found = coveredRules(definition, definition.models.filter(({ key }) => key === "notes"));
  expect(found.map(({ condition }) => condition)).toEqual(covered);
});

test("a rule with fields does not cover a rule without them", async () => {
  const update = [{ role: "user" }, { role: "user", fields: ["title"] }];
  const definition = await definitionOf(notes({ fetch: [{ role: "user" }], update }));
  const found = coveredRules(
    definition,
    definition.models.filter(({ key }) => key === "notes"),
  );
  expect(found).toMatchObject([{ operation: "update", condition: "all rows" }]);
});

test("a model forgets its tenant if none of its rules reaches it", async () => {
  const belongs = (model: string) => ({ type: "belongs_to", required: true, relationship: { model } });
  const definition = await definitionOf({
    $conditions: { mine: { on: "firms", condition: "owner_id = {user_id}" } },
    firms: {
      fields: { owner_id: { type: "integer" } },
      access: { fetch: [{ role: "user", condition: "mine()" }] },
    },
    teams: {
      fields: { firm_id: belongs("firms") },
      access: { fetch: [{ role: "user", condition: "mine(firm)" }] },
    },
    desks: {
      fields: { team_id: belongs("teams") },
      access: { fetch: [{ role: "user", condition: "id > 1" }] },
    },
  });
  expect(forgottenTenants(definition, definition.models)).toEqual([
    { model: "desks", tenant: "firms", path: "team.firm" },
  ]);
});
