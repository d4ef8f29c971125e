import { startTestService } from "kirak/testing";
import { expect, test } from "vitest";
import { service } from "../../generated/index.ts";
import { sendCurl, tourCommands } from "../../test/support/docs.ts";

test("the README of an app that begins as the book shop tells the truth", async () => {
  const app = await startTestService(service);
  const token = app.token({ role: "staff", user_id: 1 });
  const answers: unknown[] = [];
  for (const command of tourCommands("bookshop")) {
    const { body } = await sendCurl(app, command, token);
    answers.push(body.data ?? body.error);
  }
  await app.stop();
  expect(answers).toMatchObject([
    { id: 1, name: "Homer" },
    { id: 1, isbn: "9780140268867", slug: "the-odyssey-9780140268867", status: "draft" },
    [],
    { updated_count: 1 },
    { books: [{ title: "The Odyssey", price: "12.50", author: { name: "Homer" } }] },
    "PERMISSION_DENIED",
  ]);
});
