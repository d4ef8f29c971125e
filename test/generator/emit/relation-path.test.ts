import { expect, test } from "vitest";
import type { RelationDefinition } from "#generator/definition/definition";
import { relationPathView } from "#generator/emit/views/policy-view";
import type { Condition, Operand } from "#vocabulary/conditions/conditions";
import { field, model } from "../support/definitions.ts";

const relation = (
  name: string,
  to: string,
  kind: RelationDefinition["kind"] = "belongs_to",
): RelationDefinition => ({ name, kind, field: "id", model: to, references: "id" });

const users = model("users", { builtIn: true });
const tasks = model("tasks", {
  relations: [relation("project", "projects"), relation("parent", "tasks"), relation("this", "class")],
});
const projects = model("projects", {
  relations: [relation("team", "team_1"), relation("tasks", "tasks", "has_many")],
});
const models = [
  tasks,
  projects,
  model("team_1", { relations: [relation("owner", "users")] }),
  model("class"),
  users,
];

const file = (all: typeof models) => ({
  models: all,
  imports: { builders: new Set<string>(), conditions: new Set<string>() },
  folder: "..",
});
const eq = (name: string, value: Operand = 1): Condition => ({ op: "eq", field: name, value });
const exists = (path: string, where: Condition | null = null): Condition => ({ op: "exists", path, where });

// biome-ignore format: one case a line
test.each<[string, Condition, string[]]>([
  ["own fields", eq("title"), []],
  ["the model itself", eq("parent.parent.title"), []],
  ["each model of a path", eq("project.team.name"), ["projects: typeof projects", "team_1: typeof team1"]],
  ["a path on the right", eq("title", { field: "project.name" }), ["projects: typeof projects"]],
  ["the caller", eq("title", { user: "team" }), ["users: typeof users"]],
  ["the caller on the left", { op: "is_null", field: { user: "team" } }, ["users: typeof users"]],
  ["the caller in a list", { op: "in", field: "title", values: ["a", { user: "team" }] }, ["users: typeof users"]],
  ["the caller in a range", { op: "between", field: "title", from: { user: "a" }, to: 2 }, ["users: typeof users"]],
  ["EXISTS", exists("project.tasks"), ["projects: typeof projects"]],
  ["what EXISTS asks for, in any part", { op: "not", condition: { op: "or", conditions: [exists("project", exists("team", eq("owner.email")))] } },
    ["projects: typeof projects", "team_1: typeof team1", "users: typeof users"]],
  ["this in EXISTS", exists("parent", eq("this.project.name")), ["projects: typeof projects"]],
  ["a relation called this", eq("this.name"), ["class: typeof classModel"]],
])("%s", (_, condition, expected) => {
  expect(relationPathView(tasks, [condition], file(models)).models).toEqual(expected);
});

test("accounts to which the app adds columns are its own", () => {
  const more = [...models.slice(0, -1), { ...users, fields: [field("team")] }];
  const imports = (all: typeof models) =>
    relationPathView(tasks, [eq("title", { user: "team" })], file(all)).imports;
  expect(imports(models)).toEqual([
    { from: "kirak/users", names: ["builtInUsers as users"], typeOnly: true },
  ]);
  expect(imports(more)).toEqual([{ from: "../users/model.ts", names: ["model as users"], typeOnly: true }]);
});
