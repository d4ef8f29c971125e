import { startTestService } from "kirak/testing";
import { afterAll, expect, test } from "vitest";
import { service } from "../../../../generated/index.ts";
import type { BooksRow } from "../../../../generated/models/books/model.ts";

const app = await startTestService(service);
afterAll(() => app.stop());

const staff = await app.createUser({ role: "staff" });
await app.database.query("insert into authors (id, name) values (1, 'Jane Austen')");
const emma = { title: "Emma", slug: "emma", isbn: "9780141439587", author_id: 1, price: 8.5, cost: 4 };

test("staff add books", async () => {
  const sent = { body: { data: emma } };
  expect(await app.request("/books/create", { ...sent, as: "user" })).toMatchObject({ status: 403 });
  const { body } = await app.request<BooksRow>("/books/create", { ...sent, as: staff });
  expect(body.data.status).toBe("draft");
});

test("everyone reads a published book, and only staff read its cost", async () => {
  await app.database.query("update books set status = 'published', published_at = now()");
  const { body } = await app.request<BooksRow[]>("/books/fetch?slug=emma");
  expect(body.data).toMatchObject([{ title: "Emma", price: "8.50" }]);
  expect(body.data[0]).not.toHaveProperty("cost");
});
