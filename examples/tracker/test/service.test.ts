import { join } from "node:path";
import { checkAccess, startTestService } from "kirak/testing";
import { afterAll, expect, test } from "vitest";
import { service } from "../generated/index.ts";

// The service on a free port, with a fresh database that goes with it. Mails stay in the process.
const app = await startTestService(service, { root: join(import.meta.dirname, "..") });
afterAll(() => app.stop());

/** Signs somebody up, follows the link in the mail, and signs them in. */
async function signUp(email: string) {
  const account = { email, password: "Correct.Horse.1" };
  expect((await app.request("/auth/register", { body: account })).status).toBe(200);
  const link = /http\S+/.exec(app.mails.findLast(({ to }) => to.includes(email))?.text ?? "")?.[0] ?? "";
  expect((await app.request(link)).status).toBe(200);
  const { body } = await app.request<{ accessToken: string }>("/auth/login", { body: account });
  return { token: body.data.accessToken };
}

test("somebody signs up, makes an organisation and invites, and nobody else sees it", async () => {
  const [ann, ben, eve] = [
    await signUp("ann@example.com"),
    await signUp("ben@example.com"),
    await signUp("eve@example.com"),
  ];
  const made = await app.request<{ id: number }>("/organisations/create", {
    as: ann,
    body: { data: { name: "Acme" } },
  });
  const organisation_id = made.body.data.id;
  const invitation = { data: { organisation_id, email: "ben@example.com" } };
  expect((await app.request("/invitations/create", { as: eve, body: invitation })).body.error).toBe(
    "PERMISSION_DENIED",
  );
  const invited = await app.request<{ id: number }>("/invitations/create", { as: ann, body: invitation });
  await app.runJobs();
  expect(app.mails.at(-1)).toMatchObject({ subject: "Acme invites you" });

  const accept = `/invitations/${invited.body.data.id}/accept`;
  expect((await app.request(accept, { as: eve, body: {} })).status).toBe(404);
  expect((await app.request(accept, { as: ben, body: {} })).body.data).toEqual({
    organisation_id,
    role: "member",
  });
  const seenBy = async (as: { token: string }) =>
    (await app.request<{ name: string }[]>("/organisations/fetch", { as })).body.data.map(({ name }) => name);
  expect([await seenBy(ann), await seenBy(ben), await seenBy(eve)]).toEqual([["Acme"], ["Acme"], []]);
});

// Each role asks for each row and field, over REST and GraphQL. The models say what the answers must be.
test("the access rules hold", { timeout: 240_000 }, async () => {
  const { cells } = await checkAccess(service, { root: join(import.meta.dirname, "..") });
  const named = (outcome: string) =>
    cells
      .filter((cell) => cell.outcome === outcome)
      .map(({ model, operation, caller, rows }) => `${model}.${operation} as ${caller}: ${rows}`);
  expect(named("failed")).toEqual([]);
  expect(named("not tried").sort()).toEqual([]);
});
