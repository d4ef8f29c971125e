import { expect, test } from "vitest";
import { dataOf } from "../../support/graphql.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

// The generator warns of a `has_one` over a key that is not unique, and makes the model all the same.
test("of several rows that a has_one leads to the first by id is joined", async () => {
  await service.query("DROP INDEX profiles_author_id_key");
  await service.store({
    authors: [{ id: 1, name: "Ann" }],
    profiles: [
      { id: 9, author_id: 1, bio: "stored first" },
      { id: 2, author_id: 1, bio: "gone", deleted_at: "2026-01-01T00:00:00Z" },
      { id: 5, author_id: 1, bio: "first by id" },
    ],
  });
  const data = await dataOf(service, "{ authors { profile { id bio } } }", "admin");
  expect(data).toEqual({ authors: [{ profile: { id: 5, bio: "first by id" } }] });
});
