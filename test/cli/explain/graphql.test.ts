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
    ["mutation { updateOrganisations(where: {id: {eq: 1}}, input: {name: \"A\"}) { id } }", ["updateOrganisations organisations.update refused: 403 PERMISSION_DENIED, no rule holds before the change"], "refused: 403 PERMISSION_DENIED, no rule holds before the change"],
    ["mutation { createTasks(input: {project_id: 3, title: \"T\"}) { id } }", ["createTasks tasks.create refused: 403 PERMISSION_DENIED, no rule holds"], "refused: 403 PERMISSION_DENIED, no rule holds"],
    ["mutation { createTasks(input: {project_id: 1, title: \"T\", reference: \"A-1\"}) { id } }", ["createTasks tasks.create refused: 400 VALIDATION_ERROR, project_id: together with reference conflicts with an existing record"], "refused: 400 VALIDATION_ERROR, project_id: together with reference conflicts with an existing record"],
    ["mutation { createTasks(input: {project_id: 1, title: \"T\"}) { id project { name } } }", ["createTasks tasks.create allowed"], "allowed"],
    ["query { ...roots } fragment roots on Query { tasks { title } more: projects @skip(if: true) { id } }", ["tasks tasks.fetch allowed"], "allowed"],
    ["{ tasks { id nope } projects { id } }", ["tasks tasks.fetch refused: 400 VALIDATION_ERROR, nope: is not a field", "projects projects.fetch allowed"], "refused: 400 VALIDATION_ERROR, nope: is not a field"],
    ["{ tasks { id reporter { email } } }", ["tasks tasks.fetch refused: 403 PERMISSION_DENIED, Your role may not read the field email."], "refused: 403 PERMISSION_DENIED, Your role may not read the field email."],
  ])("%s", async (document, fields, answer) => {
    const explained = await asked(document);
    expect(explained.fields.map(({ key, explanation: { model, operation, answer: { text } } }) => `${key} ${model}.${operation} ${text}`)).toEqual(fields);
    expect(explained.answer.text).toBe(answer);
  });

  it("takes variables, with the values of the document as defaults", async () => {
    const document =
      'query ($status: String = "done", $title: String) { tasks(status: $status, title: $title) { id } }';
    const valuesOf = async (variables: string | null) =>
      (await asked(document, { variables, sql: true })).statements.flatMap(({ values }) => values);
    expect(await valuesOf('{"status":"todo","title":"x"}')).toEqual(expect.arrayContaining(["todo", "x"]));
    expect(await valuesOf(null)).toContain("done");
    await expect(asked(document, { variables: "[1]" })).rejects.toThrow("--variables must be a JSON object");
  });

  it("writes nothing, and uses no id up", async () => {
    const state = "select (select count(*) from tasks), (select last_value from tasks_id_seq)";
    const before = await tracker.service.query(state);
    const document =
      'mutation { a: createTasks(input: {project_id: 1, title: "T"}) { id } deleteTasks(ids: [2]) { id } }';
    expect((await asked(document, { sql: true })).answer.text).toBe("allowed");
    expect(await tracker.service.query(state)).toEqual(before);
  });

  it("measures only reads, and refuses a locked account", async () => {
    const document = "mutation { deleteTasks(ids: [2]) { id } }";
    await expect(asked(document, { plan: true, analyze: true })).rejects.toThrow(
      "--analyze runs the statement",
    );
    await tracker.service.query("update users set is_active = false where id = 7");
    const { answer } = await asked("{ tasks { id } }", { as: "user:7" });
    await tracker.service.query("update users set is_active = true where id = 7");
    expect(answer.text).toBe("refused: the account is not active: each request is 401");
  });

  it("names the index of each root field", async () => {
    const explained = await asked('{ projects { id } tasks(title: "x", orderBy: due_on) { id } }', {
      plan: true,
    });
    expect(explained.statements.map(({ warnings }) => warnings)).toEqual([
      [],
      [
        'the filter on title has no index; an index would serve: "indexes": [["title","due_on"]]',
        'the order by due_on has no index; an index would serve: "indexes": [["title","due_on"]]',
      ],
    ]);
  });

  it("prints the statements of a query with its joins", async () => {
    const explained = await asked("{ tasks { title project { name } } }", { plan: true });
    expect(explained.statements.map(({ text }) => text.includes('"projects"'))).toEqual([true]);
    expect(printExplainedDocument(explained)).toMatch(
      /^tasks: tasks\.fetch for user 3[\s\S]*\nplan\n[\s\S]*\nallowed\n$/,
    );
  });

  it.each([
    ["{ tasks", "--graphql: query: Syntax Error"],
    ["{ taskz { id } }", "--graphql: "],
    ["query ($id: Int!) { tasks(id: $id) { id } }", "--graphql: id: is required"],
    ["", "--graphql: query: must be a string that is not empty"],
  ])("not %s", async (document, message) => {
    await expect(asked(document)).rejects.toThrow(message);
  });
});
