import { beforeEach, describe, expect, test } from "vitest";
import { type GraphqlScenario, graphqlScenarios, performGraphql } from "../../support/graphql.ts";
import { rows } from "../../support/scenarios-hooked.ts";
import { countedService } from "../../support/watched-database.ts";

const service = await countedService();
const { sent } = service;

// biome-ignore format: several rows a line
const given = {
  hooked: rows,
  tasks: [{ id: 1, title: "a", user: 7 }, { id: 2, title: "b", user: 7 }, { id: 3, title: "c", user: 8 }],
};
// biome-ignore format: several rows a line
const untouched = {
  hooked: rows,
  tasks: [{ title: "a", user: 7, deleted_at: null }, { title: "b", user: 7, deleted_at: null }, { title: "c", user: 8, deleted_at: null }],
};

const run = (body: string, more: Partial<GraphqlScenario> = {}): GraphqlScenario => ({
  given,
  as: "admin",
  query: `mutation { ${body} }`,
  ...more,
});

beforeEach(() => {
  Object.assign(sent, { statements: [], transactions: 0 });
});

describe("root fields run one after the other, and each sees what those before it did", () => {
  graphqlScenarios(service, [
    run(
      `made: createTasks(input: { title: "n", user: 9 }) { title }
       __typename
       changed: updateTasks(where: { user: 9 }, input: { title: "m" }) { title }
       gone: deleteTasks(where: { title: "m" }) { title }
       back: restoreTasks(where: { title: "m" }, input: { project: "p" }) { title project }
       destroyTasks(where: { project: "p" }) { title }`,
      {
        name: "six of them",
        data: {
          made: { title: "n" },
          __typename: "Mutation",
          changed: [{ title: "m" }],
          gone: [{ title: "m" }],
          back: [{ title: "m", project: "p" }],
          destroyTasks: [{ title: "m" }],
        },
        rows: untouched,
      },
    ),
    run(
      "a: updateTasks(where: { id: 1 }, input: { user: 1 }) { user } ...more } fragment more on Mutation { b: updateTasks(where: { user: 1 }, input: { user: 2 }) { user }",
      { name: "by way of a fragment", data: { a: [{ user: 1 }], b: [{ user: 2 }] } },
    ),
    run('a: createTasks(input: { title: "n" }) { title } a: createTasks(input: { title: "n" }) { status }', {
      name: "the same field twice is one",
      data: { a: { title: "n", status: "open" } },
    }),
  ]);
});

describe("any failure undoes all", () => {
  const first = 'first: createTasks(input: { title: "n" }) { id } ';
  graphqlScenarios(
    service,
    [
      ['createTasks(input: { title: "n" }) { id }', "400 VALIDATION_ERROR title"],
      ["updateTasks(where: { id: 9 }, input: { user: 1 }) { id }", "404 NOT_FOUND"],
      ["destroyTasks(ids: [1, 9]) { id }", "404 NOT_FOUND"],
      ['updateHooked(where: { id: 1 }, input: { name: "two" }) { id }', "400 VALIDATION_ERROR name"],
    ].map(([body = "", fails = ""]) => run(first + body, { fails, rows: untouched })),
  );
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run('a: updateTasks(where: { id: 1 }, input: { project: "p" }) { id } b: updateTasks(where: { id: 3 }, input: { project: "p" }) { id }',
      { name: "rows out of reach", as: { role: "user", sub: "7" }, fails: "403 PERMISSION_DENIED", rows: untouched }),
    run(`${first} createHooked(input: { name: "new", code: "c" }) { id }`,
      { name: "a hook that throws", plays: { after_create: () => { throw new Error("secret reason"); } }, fails: "500 INTERNAL_ERROR",
        rows: untouched }),
  ]);
});

describe("what can be refused without SQL is refused before any, in all root fields", () => {
  const write = 'first: createHooked(input: { name: "new", code: "c", number: 1 }) { id } ';
  // biome-ignore format: one case a line
  test.each([
    ["nothing { id }", "400 VALIDATION_ERROR"],
    ["createNothing(input: {}) { id }", "404 NOT_FOUND"],
    ["createTasks { id }", "400 VALIDATION_ERROR input"],
    ["createTasks(input: { user: 1 }) { id }", "400 VALIDATION_ERROR title"],
    ['createTasks(input: { title: "n" }) { wrong }', "400 VALIDATION_ERROR wrong"],
    ['updateTasks(where: { id: 1 }, input: { status: "bad" }) { id }', "400 VALIDATION_ERROR status"],
    ["restoreTasks(where: { id: 1 }, input: { deleted_at: 1 }) { id }", "400 VALIDATION_ERROR deleted_at"],
    ["upsertThings(input: { integer: 1 }) { id }", "400 VALIDATION_ERROR input"],
    ["deleteTasks(ids: []) { id }", "400 VALIDATION_ERROR ids"],
    ['createNotes(input: { body: "x" }) { id }', "403 PERMISSION_DENIED"],
    ['createBooks(input: { title: "n" }) { note }', "403 PERMISSION_DENIED note"],
    ['createBooks(input: { title: "n" }) { author { salary } }', "403 PERMISSION_DENIED salary"],
    ["createBooks(input: { pages: true }) { chapters(heading: 1) { number } }", "400 VALIDATION_ERROR heading"],
  ])("%s", async (body, fails) => {
    const as = fails.startsWith("403") ? "user" : "admin";
    await performGraphql(service, run(write + body, { as, fails, hooks: ["before_graphql"] }));
    expect(sent).toEqual({ statements: [], transactions: 0 });
  });
});

describe("statements", () => {
  const nested = "{ title author { name books { title chapters { number } } } chapters { number } }";
  test.each<[string, string, number]>([
    ["createBooks", '(input: { title: "n" })', 2],
    ["updateBooks", "(where: { id: { gt: 0 } }, input: { pages: 1 })", 2],
    ["upsertBooks", '(input: { title: "n", isbn: "i" })', 2],
    ["deleteBooks", "(ids: [1, 2])", 2],
    ["restoreBooks", "(where: { id: 3 }, input: { pages: 1 })", 2],
    ["destroyBooks", "(where: { id: { lte: 3 } })", 1],
  ])("%s%s", async (name, args, count) => {
    const library = {
      authors: [{ id: 1, name: "Ann" }],
      books: [1, 2, 3, 4].map((id) => ({
        id,
        title: `${id}`,
        isbn: id === 1 ? "i" : null,
        author_id: 1,
        deleted_at: id === 3 ? "2026-01-01" : null,
      })),
      chapters: [{ id: 1, number: 1, book_id: 1 }],
    };
    await performGraphql(service, run(`${name}${args} ${nested}`, { given: library }));
    expect({ ...sent, statements: sent.statements.length }).toEqual({ statements: count, transactions: 1 });
    await performGraphql(service, run(`a: ${name}${args}`, { given: library }));
    expect({ ...sent, statements: sent.statements.length }).toEqual({
      statements: count + 1,
      transactions: 2,
    });
  });

  test("several root fields share one transaction", async () => {
    const fields = [1, 2, 3].map(
      (id) => `t${id}: updateTasks(where: { id: ${id} }, input: { user: 1 }) { id }`,
    );
    await performGraphql(service, run(fields.join(" ")));
    expect({ ...sent, statements: sent.statements.length }).toEqual({ statements: 6, transactions: 1 });
  });

  test("a selection of only __typename needs none", async () => {
    await performGraphql(service, run("__typename", { data: { __typename: "Mutation" } }));
    expect(sent.statements).toEqual([]);
  });
});

test("a conflict that passes runs all root fields again, with what was sent", async () => {
  let attempts = 0;
  await performGraphql(
    service,
    run(
      'createTasks(input: { title: "n" }) { title } createHooked(input: { name: "new", code: "c" }) { name code }',
      {
        plays: {
          before_create: (value) => {
            value.name += "!";
          },
          after_create: async (_, { transaction }) => {
            if (++attempts === 1)
              await transaction.raw("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
          },
        },
        data: { createTasks: { title: "n" }, createHooked: { name: "new!", code: "c" } },
        rows: { tasks: [{}, {}, {}, { title: "n" }] },
      },
    ),
  );
  expect(attempts).toBe(2);
});
