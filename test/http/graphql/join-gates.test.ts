import { beforeAll, describe, expect, test } from "vitest";
import type { ModelRoutes } from "#runtime/rest/index";
import { sendGraphql } from "../../support/graphql.ts";
import { library, seven } from "../../support/graphql-library.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { service as fixture } from "../fixture/generated/index.ts";

/** The fixture's models, with the columns that joins go over closed to all but admins. */
function gated(entry: ModelRoutes): ModelRoutes {
  const { fields } = entry.policy;
  return { ...entry, policy: { ...entry.policy, fields: { ...fields, author_id: { read: ["admin"] } } } };
}
const models = fixture.models.map((entry) =>
  ["books", "profiles"].includes(entry.model.key) ? gated(entry) : entry,
);
const service = await testService({}, { served: { ...fixture, models } });

beforeAll(() => service.store(library));

// Whoever sees which rows a join brings learns the value of the column that refers to them.
describe("who may not read a reference may not join over it", () => {
  test.each([
    "{ books { author_id } }",
    "{ books { author { name } } }",
    "{ books { author_id { name } } }",
    "{ books { author { __typename } } }",
    "{ authors { books { id } } }",
    "{ authors { books(limit: 1) { __typename } } }",
    "{ authors { profile { bio } } }",
    "{ chapters { book { author { name } } } }",
    "mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { author { name } } }",
  ])("%s", async (query) => {
    const refused = await sendGraphql(service, query, seven);
    expect(outcome(refused), refused.text).toBe("403 PERMISSION_DENIED author_id");
    expect(outcome(await sendGraphql(service, query, "admin"))).toBe("200");
  });

  test("other joins of the same model are open", async () => {
    const { envelope } = await sendGraphql(service, "{ books(id: 1) { editor { name } } }", "staff");
    expect(envelope.data).toEqual({ books: [{ editor: { name: "Bob" } }] });
  });
});
