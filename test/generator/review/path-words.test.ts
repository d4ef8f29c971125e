import { expect, test } from "vitest";
import { pathWords } from "#generator/review/access/access-text";

const project = "tasks.project_id > projects.id";
const members = "projects.id < memberships.project_id";

// biome-ignore format: one case a line
test.each<[string, string, string, string]>([
  ["project", project, `${project} (live)`, '"project" counts deleted rows now'],
  ["project", `${project} (live)`, project, '"project" leaves deleted rows out now'],
  ["project", "tasks.other_id > projects.id", project,
    '"project" leads to the row of projects whose id is the other_id of tasks now, and led to the row of projects whose id is the project_id of tasks'],
  ["project.memberships", `${project} (live), projects.id < guests.project_id (first, live)`, `${project}, ${members} (live)`,
    '"project" leaves deleted rows out now; "memberships" leads to the first row of guests whose project_id is the id of projects now, and led to the rows of memberships whose project_id is the id of projects'],
  ["project.memberships", `${project}, ${members} (first)`, `${project}, ${members} (live)`,
    '"memberships" leads to the first row of memberships whose project_id is the id of projects now, and led to the rows of memberships whose project_id is the id of projects; "memberships" counts deleted rows now'],
])("%s by %s, before %s", (path, leads, before, words) => {
  expect(pathWords({ model: "tasks", path, leads, before, opens: [] })).toBe(words);
});
