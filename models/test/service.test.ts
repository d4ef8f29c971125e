import { checkAccess, startTestService } from "kirak/testing";
import { afterAll, expect, test } from "vitest";
import { service } from "../../generated/index.ts";

// The service on a free port, with a fresh database that goes with it.
const app = await startTestService(service);
afterAll(() => app.stop());

test("staff add a book, and guests see it once it is published, but not what it cost", async () => {
  const author = await app.request<{ id: number }>("/authors/create", {
    as: "staff",
    body: { data: { name: "Homer" } },
  });
  const book = { title: "The Odyssey", isbn: "978-0-14-026886-7", price: "12.50", cost: "7.00" };
  const body = { data: { ...book, author_id: author.body.data.id } };
  expect((await app.request("/books/create", { body })).body.error).toBe("PERMISSION_DENIED");
  const created = await app.request<{ id: number }>("/books/create", { as: "staff", body });
  expect(created.body.data).toMatchObject({
    slug: "the-odyssey-9780140268867",
    status: "draft",
    cost: "7.00",
  });

  const seen = async () => (await app.request<object[]>("/books/fetch")).body.data;
  expect(await seen()).toEqual([]);
  const data = { status: "published", published_at: "2026-01-01" };
  const where = { id: created.body.data.id };
  await app.request("/books/update", { method: "PUT", as: "staff", body: { where, data } });
  expect(await seen()).toEqual([expect.objectContaining({ title: "The Odyssey", price: "12.50" })]);
  expect((await seen())[0]).not.toHaveProperty("cost");
});

// Each role asks for each row and field, over REST, GraphQL and MCP. The models say what the answers must be.
test("the access rules hold", { timeout: 240_000 }, async () => {
  const { cells } = await checkAccess(service);
  const named = (outcome: string) =>
    cells
      .filter((cell) => cell.outcome === outcome)
      .map(({ model, operation, caller, rows }) => `${model}.${operation} as ${caller}: ${rows}`);
  expect(named("failed")).toEqual([]);
  const asTools = cells.filter(({ front, outcome }) => front === "mcp" && outcome === "passed");
  expect(new Set(asTools.map(({ model, operation }) => `${model}.${operation}`)).size).toBe(14);
  // No record of a user breaks these parts: users cannot send the fields.
  expect(named("not tried").sort()).toEqual([
    "orders.create as user: out: status = 'pending'",
    "reviews.create as user: out: status = 'pending'",
    "reviews.upsert as user: out: moderated_at IS NULL",
  ]);
});
