import { beforeAll, expect, test } from "vitest";
import { dataOf } from "../support/graphql.ts";
import { testService } from "../support/service.ts";

const service = await testService();

beforeAll(() =>
  service.store({
    rows: [
      { id: 1, number: 7 },
      { id: 2, number: 8, word: "everybody" },
    ],
  }),
);

// Rules may name guests as they name any role, and statements are remembered by role.
test("a role that no rule names does not get the statement that was made for guests", async () => {
  const query = "{ rows { id } }";
  expect(await dataOf(service, query)).toEqual({ rows: [{ id: 2 }] });
  expect(await dataOf(service, query, { role: "stranger", sub: "7" })).toEqual({ rows: [{ id: 2 }] });
});
