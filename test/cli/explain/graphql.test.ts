import { beforeAll, describe, expect, it } from "vitest";
import { explainDocument } from "#cli/explain/explain-graphql";
import { printExplainedDocument } from "#cli/explain/print-explanation";
import { asPerson, bare, type ExplainedTracker, explainedTracker } from "./tracker.ts";

let tracker: ExplainedTracker;

beforeAll(async () => {
  tracker = await explainedTracker();
});

const asked = (graphql: string, more = {}) =>
  tracker.inApp((app) => explainDocument(app, { ...bare, as: asPerson("mia"), graphql, ...more }));

describe("kirak explain --graphql", () => {
  // biome-ignore format: one case a line
  it.each([
    ["{ a: tasks(status: \"done\") { id title } projects { name tasks { id } } }", ["a tasks.fetch allowed", "projects projects.fetch allowed"], "allowed"],
    ["{ tasks(search: \"x\", orderBy: title__desc) { id } }", ["tasks tasks.search allowed"], "allowed"],
    ["{ tasks_aggregate { count } }", ["tasks_aggregate tasks.search allowed"], "allowed"],
    ["mutation { deleteTasks(ids: [1]) { id } }", ["deleteTasks tasks.delete refused: 403 PERMISSION_DENIED, no rule holds"], "refused: 403 PERMISSION_DENIED, no rule holds"],
    ["mutation { updateOrganisations(where: {id: {eq: 1}}, data: {name: \"A\"}) { id } }", ["updateOrganisations organisations.update refused: 403 PERMISSION_DENIED, no rule holds before the change"], "refused: 403 PERMISSION_DENIED, no rule holds before the change"],
    ["{ tasks { id reporter { email } } }", ["tasks tasks.fetch allowed"], "refused: 403 PERMISSION_DENIED, Your role may not read the field email."],
  ])("%s", async (document, fields, answer) => {
    const explained = await asked(document);
    expect(explained.fields.map(({ key, explanation: { model, operation, answer: { text } } }) => `${key} ${model}.${operation} ${text}`)).toEqual(fields);
    expect(explained.answer.text).toBe(answer);
  });

  it("prints the statements of a query with its joins", async () => {
    const explained = await asked("{ tasks { title project { name } } }", { plan: true });
    expect(explained.statements.map(({ text }) => text.includes('"projects"'))).toEqual([true]);
    expect(printExplainedDocument(explained)).toMatch(
      /^tasks: tasks\.fetch for user 3[\s\S]*\nplan\n[\s\S]*\nallowed\n$/,
    );
  });

  it.each([
    ["{ tasks", "--graphql: Syntax Error"],
    ["{ taskz { id } }", "--graphql: "],
    ["query ($id: Int) { tasks(id: $id) { id } }", "--graphql takes no variables"],
  ])("not %s", async (document, message) => {
    await expect(asked(document)).rejects.toThrow(message);
  });
});
