import { expect, test } from "vitest";
import { sendGraphql } from "../../support/graphql.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";

// What a developer reads who has mistyped something: which name of the document is meant, and what is wrong with it.
const service = await testService();

// biome-ignore format: one case a line
const told: readonly (readonly [as: Caller, query: string, field: string, message: string])[] = [
  [null, "{ people { id } tasks { id } }", "tasks", "Your role may not ask for tasks."],
  [null, "{ n: tasks_aggregate { count } }", "tasks_aggregate", "Your role may not ask for tasks_aggregate."],
  [null, "mutation { deleteTasks(ids: [1]) }", "deleteTasks", "Your role may not ask for deleteTasks."],
  [null, "{ books { a: author_id { name } } }", "author_id", "Your role may not ask for author_id."],
  [null, "{ people { a: salary } }", "salary", "Your role may not read the field salary."],
  [null, "{ nothing { id } }", "nothing", "There is no model behind nothing."],
  ["admin", "{ createTasks(input: {}) { id } }", "createTasks",
    "There is no model behind createTasks. A mutation has the word mutation before its braces."],
  [null, "mutation { tasks { id } }", "tasks", "tasks begins with no mutation verb."],
  [null, "{ people(first: 3) { id } }", "first", "first: is no argument here, and no field to filter by"],
  [null, "{ people(or: { name: 3 }) { id } }", "or",
    "or: is not a field, and filters know no OR: field: { in: … } takes one of several values; all else takes a request each"],
  [null, "{ people(constructor: 3) { id } }", "constructor", "constructor: is no argument here, and no field to filter by"],
  ["admin", "{ order(constructor: 3) { id } }", "constructor", "constructor: must be a text"],
  [null, "{ people(name: { is: 3 }) { id } }", "name", "name: knows no operator is"],
  [null, "{ things(size: { gt: 3 }) { id } }", "size", "size: does not take the operator gt"],
  [null, '{ people(name: { like: "" }) { id } }', "name", "name: must be a text that is not empty"],
  [null, '{ things(search: "") { id } }', "search", "search: must be a text that is not empty"],
  [null, "{ people_aggregate { median { id } } }", "median", "median: is not a field"],
  [null, "{ people_aggregate { count { id } } }", "count", "count: has no fields of its own"],
  ["admin", "mutation { deleteTasks }", "where", "where: is required, or ids"],
];

test.each(told)("%s %s", async (as, query, field, message) => {
  const { envelope, text } = await sendGraphql(service, query, as);
  expect(envelope.details, text).toEqual({ field });
  expect(envelope.message).toBe(message);
});
