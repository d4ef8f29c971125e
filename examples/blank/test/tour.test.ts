import { join } from "node:path";
import { startTestService } from "kirak/testing";
import { expect, test } from "vitest";
import { sendCurl, tourCommands } from "../../../test/support/docs.ts";
import { service } from "../generated/index.ts";

test("the README of an app that begins here tells the truth", async () => {
  const app = await startTestService(service, { root: join(import.meta.dirname, "..") });
  await app.database.query("insert into users default values");
  const token = app.token({ role: "user", user_id: 1 });
  const answers: unknown[] = [];
  for (const command of tourCommands("blank")) answers.push((await sendCurl(app, command, token)).body.data);
  await app.stop();
  const lisbon = { title: "Lisbon", body: "In May." };
  expect(answers).toMatchObject([
    { id: 1, title: "Travels", public: false },
    { id: 1, notebook_id: 1, ...lisbon },
    [{ id: 1 }],
    [],
    { updated_count: 1 },
    { notebooks: [{ title: "Travels", notes: [lisbon] }] },
  ]);
});
