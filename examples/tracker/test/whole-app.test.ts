import { existsSync } from "node:fs";
import { join } from "node:path";
import { startTestService } from "kirak/testing";
import { afterAll, expect, test } from "vitest";
import { service } from "../generated/index.ts";

const root = join(import.meta.dirname, "..");
const app = await startTestService(service, { root });
afterAll(() => app.stop());

const ada = await app.createUser({ email: "ada@example.com" });

test("a request has a caller, a body and headers, and is answered by status, headers and JSON", async () => {
  const sent = { body: { data: { name: "Acme" } } };
  const refused = await app.request("/organisations/create", sent);
  expect([refused.status, refused.body.error]).toEqual([403, "PERMISSION_DENIED"]);
  const made = await app.request<{ id: number }>("/organisations/create", { ...sent, as: ada });
  expect(made).toMatchObject({ status: 200, body: { data: { name: "Acme" } } });
  const { id } = made.body.data;
  const found = await app.request(`/organisations/fetch?id=${id}`, { as: { token: app.token(ada) } });
  expect(found.body.data).toMatchObject([{ id, name: "Acme" }]);
  const byAdmin = await app.request("/organisations/fetch", {
    as: "admin",
    headers: { "X-Request-ID": "me" },
  });
  expect(byAdmin.body.data).toHaveLength(1);
  expect(byAdmin.headers.get("x-request-id")).toBe("me");
  expect(await app.database.query("select name from organisations where id = $1", [id])).toEqual([
    { name: "Acme" },
  ]);
});

test("a mail of accounts is there once all is settled, and its link leads to the service", async () => {
  const account = { email: "nia@example.com", password: "Correct-Horse-1!" };
  expect((await app.request("/auth/register", { body: account })).status).toBe(200);
  await app.settled();
  const [mail] = app.mails;
  expect(mail).toMatchObject({ to: account.email, subject: "Confirm your e-mail address for tracker" });
  const page = await app.request(/http\S+/.exec(mail?.text ?? "")?.[0] ?? "");
  expect([page.status, page.body]).toEqual([200, {}]);
  expect(page.text).toMatch(/^<!doctype html>/);
  expect(existsSync(join(root, "var", "kirak", "outbox"))).toBe(false);
});

test("jobs run when they are told to, and the mails that they send", async () => {
  const before = app.mails.length;
  await app.database.query("insert into organisations (id, name) values (7, 'Bolt')");
  await app.database.query(
    "insert into memberships (organisation_id, user_id, role) values (7, $1, 'owner')",
    [ada.user_id],
  );
  const data = { organisation_id: 7, email: "mia@example.com", role: "member" };
  await app.request("/invitations/create", { body: { data }, as: ada });
  await app.settled();
  expect(app.mails).toHaveLength(before);
  await app.runJobs();
  expect(app.mails.slice(before)).toMatchObject([{ to: "mia@example.com", subject: "Bolt invites you" }]);
  await app.jobs.enqueue("digest", {});
  await app.runJobs();
  expect(app.log).toContainEqual(expect.objectContaining({ msg: "job", job: "digest" }));
});

test("two have databases of their own, which are gone once they have stopped", async () => {
  const other = await startTestService(service, { root });
  expect(await other.database.query("select from users")).toEqual([]);
  expect((await other.request("/organisations/fetch", { as: ada })).body.data).toEqual([]);
  const name = new URL(other.database.url).pathname.slice(1);
  const there = () => app.database.query("select from pg_database where datname = $1", [name]);
  expect(await there()).toHaveLength(1);
  await Promise.all([other.stop(), other.stop()]);
  expect(await there()).toEqual([]);
});
