import { describe, expect } from "vitest";
import { type GraphqlScenario, graphqlScenarios } from "../../support/graphql.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const a = "0a000000-0000-4000-8000-00000000000a";
const b = "0b000000-0000-4000-8000-00000000000b";
const old = "2020-01-01T00:00:00+00:00";
const user = { role: "user", sub: "7" };
const given = {
  tasks: [
    { id: 1, title: "a", user: 7 },
    { id: 2, title: "b", user: 7 },
    { id: 3, title: "c", user: 8 },
    { id: 4, title: "gone", user: 7, deleted_at: old },
  ],
};
const live = { deleted_at: null };
const dead = { deleted_at: expect.not.stringContaining("2020") };
const untouched = {
  tasks: [
    { title: "a", user: 7, ...live },
    { title: "b", user: 7, ...live },
    { title: "c", user: 8, ...live },
    { title: "gone", deleted_at: old },
  ],
};
// biome-ignore format: several rows a line
const library = {
  authors: [{ id: 1, name: "Ann", user: 7, salary: 100 }, { id: 2, name: "Bob", user: 8, public: false }],
  books: [{ id: 1, title: "one", author_id: 1 }, { id: 2, title: "two", author_id: 2 }],
  chapters: [{ id: 1, number: 1, book_id: 1 }, { id: 2, number: 2, book_id: 1 }],
};

const run = (body: string, more: Partial<GraphqlScenario> = {}): GraphqlScenario => ({
  given,
  as: "admin",
  query: `mutation { ${body} }`,
  ...more,
});
/** Refused, with every row as it was. */
const refused = (body: string, fails: string, more: Partial<GraphqlScenario> = {}): GraphqlScenario =>
  run(body, { fails, rows: more.given ?? untouched, ...more });

describe("create", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run('createTasks(input: { title: "n", user: 9 }) { id title status user deleted_at __typename }',
      { data: { createTasks: { id: expect.any(Number), title: "n", status: "open", user: 9, deleted_at: null, __typename: "tasks" } },
        rows: { tasks: [{}, {}, {}, {}, { title: "n", user: 9 }] } }),
    run('made: createTasks(input: { title: "n" })', { data: { made: { id: expect.any(Number) } } }),
    run('createTasks(input: { title: "n" }) { title @skip(if: true) }', { data: { createTasks: {} } }),
    run(`createNotes(input: { id: "${a}", body: "x" }) { key: id body }`, { data: { createNotes: { key: a, body: "x" } } }),
    run('createBooks(input: { title: "n", author_id: 1 }) { title author { name books { title } } }',
      { name: "what is selected may be joined", given: library,
        data: { createBooks: { title: "n", author: { name: "Ann", books: [{ title: "one" }, { title: "n" }] } } } }),
    run('createTasks(input: { title: "n", user: 7 }) { title }',
      { name: "a row condition that the new row meets", as: user, data: { createTasks: { title: "n" } } }),
    run('createTasks(input: { title: "n", user: 8 }) { id }',
      { name: "what is selected does not obey the fetch rules", as: "staff", data: { createTasks: { id: expect.any(Number) } } }),
    { name: "the record as a variable", given, as: "admin", query: "mutation ($input: TasksCreate!) { createTasks(input: $input) { title user } }",
      variables: { input: { title: "n", user: 1 } }, data: { createTasks: { title: "n", user: 1 } } },
    { name: "a value of the record as a variable", given, as: "admin",
      query: "mutation ($title: String!, $none: Int) { createTasks(input: { title: $title, user: $none }) { title user } }",
      variables: { title: "n" }, data: { createTasks: { title: "n", user: null } } },
    run('createOrder(input: { hasOwnProperty: { a: [1, "x", null, 1.5, true] } }) { hasOwnProperty }',
      { name: "json", data: { createOrder: { hasOwnProperty: { a: [1, "x", null, 1.5, true] } } } }),
    run("createOrder(input: { hasOwnProperty: { a: 9007199254740993 } }) { hasOwnProperty }",
      { name: "a number in json that no double holds is the nearest one, as in a body", data: { createOrder: { hasOwnProperty: { a: 2 ** 53 } } } }),
    run('createPeople(input: { name: "n" })', { name: "an id that may not be read", as: "stranger", data: { createPeople: {} } }),
    run('createLineItems2(input: { label: "x" }) { label __typename }',
      { name: "of two models with one name the snake_case one gets it, and the other a number",
        data: { createLineItems2: { label: "x", __typename: "LineItems" } }, rows: { line_items: [], other_items: [{ label: "x" }] } }),
    refused("createTasks", "400 VALIDATION_ERROR input"),
    refused("createTasks(input: null) { id }", "400 VALIDATION_ERROR input"),
    refused("createTasks(input: []) { id }", "400 VALIDATION_ERROR input"),
    refused('createTasks(input: [{ title: "n" }]) { id }', "400 VALIDATION_ERROR input"),
    refused('createTasks(data: { title: "n" }) { id }', "400 VALIDATION_ERROR data"),
    refused('createTasks(input: { title: "n" }, where: { id: 1 }) { id }', "400 VALIDATION_ERROR where"),
    refused("createTasks(input: { title: 1 }) { id }", "400 VALIDATION_ERROR title"),
    refused('createTasks(input: { title: "n" }) { wrong }', "400 VALIDATION_ERROR wrong"),
    refused("createTasks(input: { wrong: 1 }) { wrong }", "403 PERMISSION_DENIED", { as: null }),
    refused('createPeople(input: { name: "n", salary: 1 }) { id }', "403 PERMISSION_DENIED salary", { as: user }),
    refused('createPeople(input: { name: "n" }) { id nick }', "403 PERMISSION_DENIED nick", { as: user, rows: { people: [] } }),
    refused('createPeople(input: { name: "n", secret: "s" }) { secret }', "403 PERMISSION_DENIED secret"),
    refused(`createPets(input: { name: "n", owner_id: "${a}" }) { owner { level } }`, "403 PERMISSION_DENIED",
      { name: "a joined model that the role may not fetch", given: { owners: [{ id: a, user_id: 7 }], pets: [] }, as: user }),
    refused('createBooks(input: { title: "n", author_id: 1 }) { author { salary } }', "403 PERMISSION_DENIED salary", { given: library, as: user }),
    refused("createLedger(input: { hooked_id: 1 }) { id }", "404 NOT_FOUND"),
    refused("createNothing(input: { a: 1 }) { id }", "404 NOT_FOUND"),
    refused("makeTasks(input: { a: 1 }) { id }", "400 VALIDATION_ERROR"),
    { name: "a variable of another type", given, as: "admin", query: "mutation ($input: TasksUpdate!) { createTasks(input: $input) { id } }",
      variables: { input: { title: "n" } }, fails: "400 VALIDATION_ERROR input" },
    { name: "a variable with many records", given, as: "admin", query: "mutation ($input: [TasksCreate!]) { createTasks(input: $input) { id } }",
      variables: { input: [{ title: "n" }] }, fails: "400 VALIDATION_ERROR input", rows: untouched },
  ]);
});

describe("update", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run('updateTasks(input: { project: "p" }, where: { user: 7 }) { id project }',
      { data: { updateTasks: [{ id: 1, project: "p" }, { id: 2, project: "p" }] },
        rows: { tasks: [{ project: "p" }, { project: "p" }, { project: null }, { project: null }] } }),
    run("updateTasks(input: { user: 9 }, where: { id: { in: [3, 1] } })", { data: { updateTasks: [{ id: 1 }, { id: 3 }] } }),
    run('updateTasks(where: { title: { neq: "a", gt: "b" } }, input: { user: null }) { user }',
      { name: "operators are joined by AND", data: { updateTasks: [{ user: null }] } }),
    run("updateTasks(input: { user: 9 }, where: { project: null, id: 2, deleted_at: { is_null: false } }) { id }",
      { name: "null, and a filter on deleted_at, which is stripped", data: { updateTasks: [{ id: 2 }] } }),
    { name: "filters as a variable", given, as: "admin",
      query: "mutation ($where: TasksWhere!) { updateTasks(input: { user: 9 }, where: $where) { id user } }",
      variables: { where: { id: { eq: 1 }, title: "a" } }, data: { updateTasks: [{ id: 1, user: 9 }] } },
    { name: "a filter value as a variable", given, as: "admin",
      query: "mutation ($ids: [Int!]) { updateTasks(input: { user: 9 }, where: { id: { in: $ids } }) { id } }", variables: { ids: [1, 2] },
      data: { updateTasks: [{ id: 1 }, { id: 2 }] } },
    run("updateTasks(input: { user: 9 }, where: { id: 4 }) { id }", { name: "a deleted row is not seen", fails: "404 NOT_FOUND", rows: untouched }),
    refused("updateTasks(input: { user: 8 }, where: { id: 1 }) { id }", "403 PERMISSION_DENIED", { name: "out of reach afterwards", as: user }),
    refused("updateTasks(input: { user: 9 }, where: { id: {} }) { id }", "400 VALIDATION_ERROR id"),
    refused("updateTasks(input: { user: 9 }, where: { id: {}, user: 7 }) { id }", "400 VALIDATION_ERROR id"),
    { name: "a condition is not left out with its variable",
      as: "admin",
      given,
      query:
        "mutation ($id: BigInt, $least: Int) { updateTasks(input: { user: 9 }, where: { user: 7, id: $id, position: { gte: $least, lte: 5 } }) { id } }",
      fails: "400 VALIDATION_ERROR id",
      details: { errors: [expect.objectContaining({ field: "id" }), expect.objectContaining({ field: "least" })],
      },
      rows: untouched,
    },
    refused("updateTasks(input: { user: 9 }, where: { id: { nin: [] } }) { id }", "400 VALIDATION_ERROR where"),
    refused("updateTasks(input: { user: 9 }, where: { id__gt: 1 }) { id }", "400 VALIDATION_ERROR id__gt"),
    refused("updateTasks(input: { user: 9 }, where: { id: { over: 1 } }) { id }", "400 VALIDATION_ERROR id"),
    refused("updateTasks(input: { user: 9 }, ids: [1]) { id }", "400 VALIDATION_ERROR ids"),
    refused("updateTasks(input: [{ id: 1, user: 9 }]) { id }", "400 VALIDATION_ERROR input"),
    refused('updatePeople(input: { name: "n" }, where: { salary: 1 }) { id }', "403 PERMISSION_DENIED salary", { as: user }),
    refused("updateStrict(input: { integer: 11 }, where: { boolean: true }) { id }", "400 VALIDATION_ERROR integer"),
  ]);
});

describe("upsert", () => {
  const docs = { docs: [{ id: 1, code: "x", folder: "f", author: 7 }] };
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run('upsertDocs(input: { code: "x", folder: "g" }) { id code folder author }',
      { name: "updates what was sent", given: docs, data: { upsertDocs: { id: 1, code: "x", folder: "g", author: 7 } } }),
    run('upsertDocs(input: { code: "y", author: 9 }) { code author draft }',
      { name: "inserts", given: docs, data: { upsertDocs: { code: "y", author: 9, draft: true } } }),
    run('upsertDocs(input: { id: 1, code: "z" })', { given: docs, data: { upsertDocs: { id: 1 } } }),
    run('upsertDocs(input: { id: 9, code: "z" }) { id }', { given: docs, fails: "404 NOT_FOUND" }),
    run('upsertTasks(input: { title: "a", user: 9 }) { id }', { as: user, fails: "403 PERMISSION_DENIED", rows: untouched }),
    refused("upsertDocs(input: { draft: true }) { id }", "400 VALIDATION_ERROR code", { given: docs }),
    refused("upsertThings(input: { integer: 1 }) { id }", "403 PERMISSION_DENIED", { as: null }),
    refused("upsertThings(input: { integer: 1 }) { id }", "400 VALIDATION_ERROR input"),
    refused('upsertDocs(input: { code: "x" }, where: { id: 1 }) { id }', "400 VALIDATION_ERROR where", { given: docs }),
    refused('upsertDocs(input: [{ code: "x" }]) { id }', "400 VALIDATION_ERROR input", { given: docs }),
  ]);
});

describe("delete", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run("deleteTasks(ids: [3, 1]) { id title deleted_at }",
      { name: "what was soft-deleted is answered all the same",
        data: { deleteTasks: [{ id: 1, title: "a", deleted_at: expect.any(String) }, { id: 3, title: "c", deleted_at: expect.any(String) }] },
        rows: { tasks: [dead, live, dead, { deleted_at: old }] } }),
    run("deleteTasks(where: { user: 7 })", { data: { deleteTasks: [{ id: 1 }, { id: 2 }] } }),
    run('deleteTasks(ids: [1, 1, "2"]) { id }', { name: "repeated ids count once", data: { deleteTasks: [{ id: 1 }, { id: 2 }] } }),
    run("deleteTasks(ids: 1) { id }", { name: "one id is a list of one", data: { deleteTasks: [{ id: 1 }] } }),
    { name: "ids as a variable", given, as: "admin",
      query: "mutation ($ids: [BigInt!], $where: TasksWhere) { deleteTasks(ids: $ids, where: $where) { title } }", variables: { ids: [2] },
      data: { deleteTasks: [{ title: "b" }] } },
    run("deleteThings(ids: [2, 1]) { integer twin { integer } }",
      { name: "without soft delete the rows are as they were, and so is what they are joined to",
        given: { things: [{ id: 1, integer: 5 }, { id: 2, integer: 6, twin_id: 1 }] },
        data: { deleteThings: [{ integer: 5, twin: null }, { integer: 6, twin: { integer: 5 } }] }, rows: { things: [] } }),
    run("deleteTasks(where: { id: 4 }) { id }", { fails: "404 NOT_FOUND", rows: untouched }),
    refused("deleteTasks(where: { id: 3 }) { id }", "403 PERMISSION_DENIED", { as: user }),
    refused("deleteTasks(where: null) { id }", "400 VALIDATION_ERROR where"),
    refused("deleteTasks(ids: null) { id }", "400 VALIDATION_ERROR ids"),
    refused("deleteTasks(ids: [null]) { id }", "400 VALIDATION_ERROR ids"),
    refused("deleteTasks(ids: [1.5]) { id }", "400 VALIDATION_ERROR ids"),
    refused('deleteTasks(ids: [1], input: { title: "x" }) { id }', "400 VALIDATION_ERROR input"),
    refused("deleteTasks(query: { id: 1 }) { id }", "400 VALIDATION_ERROR query"),
    refused(`deleteTasks(ids: [${Array.from({ length: 51 }, (_, id) => id + 1).join()}]) { id }`, "400 VALIDATION_ERROR ids"),
    refused("deletePeople(ids: [1]) { open }", "403 PERMISSION_DENIED id", { name: "a caller who cannot read ids cannot name one", as: "stranger" }),
    refused('deletePeople(where: { open: "x" }) { nick }', "403 PERMISSION_DENIED nick", { as: user }),
  ]);
});

describe("destroy", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run("destroyTasks(where: { user: { eq: 7 } }) { id title deleted_at __typename }",
      { name: "rows as they were, soft-deleted ones too, by their ids",
        data: { destroyTasks: [{ id: 1, title: "a", deleted_at: null, __typename: "tasks" },
            { id: 2, title: "b", deleted_at: null, __typename: "tasks" },
            { id: 4, title: "gone", deleted_at: "2020-01-01T00:00:00.000Z", __typename: "tasks" }] }, rows: { tasks: [{ id: 3 }] } }),
    run("destroyTasks(ids: [4, 3])", { data: { destroyTasks: [{ id: 3 }, { id: 4 }] } }),
    run("destroyTasks(ids: [2, 1]) { title }",
      { name: "where a row condition is asked first", as: user, data: { destroyTasks: [{ title: "a" }, { title: "b" }] },
        rows: { tasks: [{ id: 3 }, { id: 4 }] } }),
    run("destroyTasks(ids: [1]) { ...empty } } fragment empty on tasks { title @include(if: false)",
      { name: "nothing of a selection is left", data: { destroyTasks: [{}] } }),
    run('destroyBooks(where: { id: { lte: 2 } }) { name: title author { name salary } chapters(orderBy: "-number", limit: 1) { number } }',
      { name: "with what they were joined to, which goes with them", given: library,
        data: { destroyBooks: [{ name: "one", author: { name: "Ann", salary: 100 }, chapters: [{ number: 2 }] },
            { name: "two", author: { name: "Bob", salary: null }, chapters: [] }] }, rows: { books: [], chapters: [] } }),
    run("destroyTasks(where: { id: 9 }) { id }", { fails: "404 NOT_FOUND", rows: untouched }),
    run("destroyTasks(ids: [1, 9]) { id }", { fails: "404 NOT_FOUND", rows: untouched }),
    refused("destroyTasks(ids: [1, 3]) { title }", "403 PERMISSION_DENIED", { as: user }),
    refused("destroyTasks(ids: [1]) { wrong }", "400 VALIDATION_ERROR wrong"),
    refused("destroyTasks(where: { wrong: 1 }) { id }", "400 VALIDATION_ERROR wrong"),
    refused("destroyTasks(ids: [], where: {}) { id }", "400 VALIDATION_ERROR ids"),
    refused("destroyThings(ids: [1]) { id }", "400 VALIDATION_ERROR",
      { name: "a row that is still referred to", given: { things: [{ id: 1 }, { id: 2, twin_id: 1 }] } }),
  ]);
});

describe("restore", () => {
  const notes = {
    notes: [
      { id: a, body: "a", deleted_at: old },
      { id: b, body: "b", code: "x" },
    ],
  };
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run(`restoreNotes(input: { deleted_at: null }, where: { id: "${a}" }) { id body deleted_at }`,
      { given: notes, data: { restoreNotes: [{ id: a, body: "a", deleted_at: null }] }, rows: { notes: [live, live] } }),
    run('restoreTasks(input: { project: "p" }, where: { user: 7 }) { id project }',
      { name: "with changes; only deleted rows are found", data: { restoreTasks: [{ id: 4, project: "p" }] } }),
    run('restoreTasks(input: { deleted_at: null, status: "done" }, where: { id: 4 }) { id }',
      { as: user, fails: "403 PERMISSION_DENIED", rows: untouched }),
    refused('restoreTasks(input: { deleted_at: "2020-01-01" }, where: { id: 4 }) { id }', "400 VALIDATION_ERROR deleted_at"),
    refused("restoreTasks(input: { deleted_at: null }, ids: [4]) { id }", "400 VALIDATION_ERROR ids"),
    refused("restoreDocs(input: { deleted_at: null }, where: { id: 1 }) { id }", "404 NOT_FOUND",
      { name: "without soft delete no role can restore", as: null }),
    refused(`restoreNotes(input: { code: "x" }, where: { id: "${a}" }) { id }`, "400 VALIDATION_ERROR code",
      { name: "a unique value that a live row has", given: notes }),
  ]);
});

const id = "1a000000-0000-4000-8000-000000000001";
const visited = { visits: [{ id, code: "a", status: "done", report: "fine", seats: 1, most: 2 }] };
const unchanged = { visits: [{ status: "done", report: "fine", seats: 1, most: 2 }] };
const runOnVisits = (body: string, more: Partial<GraphqlScenario> = {}): GraphqlScenario => ({
  given: visited,
  as: "admin",
  query: `mutation { ${body} }`,
  ...more,
});
const broken = (body: string, check: string, field: string): GraphqlScenario =>
  runOnVisits(body, { fails: `400 VALIDATION_ERROR ${field}`, details: { check }, rows: unchanged });

describe("a check that a mutation breaks", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    broken('createVisits(input: { code: "b", status: done }) { id }', "done_is_reported", "status"),
    broken("createVisits(input: { seats: 2, most: 1, status: done }) { id }", "done_is_reported", "status"),
    broken(`updateVisits(where: { id: "${id}" }, input: { seats: 3 }) { code }`, "a_seat_each", "seats"),
    broken('upsertVisits(input: { code: "a", report: null }) { id }', "done_is_reported", "status"),
    broken('one: createVisits(input: { code: "c" }) { id } two: upsertVisits(input: { code: "a", most: 0 }) { id }', "a_seat_each", "seats"),
    runOnVisits('upsertVisits(input: { code: "a", status: done, seats: 2 }) { id }',
      { name: "an upsert of a row that is there judges it as it will be", data: { upsertVisits: { id } },
        rows: { visits: [{ status: "done", report: "fine", seats: 2 }] } }),
    runOnVisits("createVisits(input: { seats: 2 }) { code seats }",
      { name: "what is unknown passes", data: { createVisits: { code: null, seats: 2 } }, given: {}, rows: { visits: [{ code: null, seats: 2 }] } }),
  ]);
});
