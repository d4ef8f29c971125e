import { join } from "node:path";
import { startTestService } from "kirak/testing";
import { expect, test } from "vitest";
import { sendCurl, tourCommands } from "../../../test/support/docs.ts";
import { service } from "../generated/index.ts";

test("the README of an app that begins here tells the truth", async () => {
  const app = await startTestService(service, { root: join(import.meta.dirname, "..") });
  const [register = "", login = "", ...others] = tourCommands("saas");
  const signUp = async (name: string) => {
    const as = (command: string) => command.replaceAll("ann@", `${name}@`);
    expect((await sendCurl(app, as(register), "")).status).toBe(200);
    const link = /http\S+/.exec(app.mails.at(-1)?.text ?? "")?.[0] ?? "";
    expect((await app.request(link)).status).toBe(200);
    const { body } = await sendCurl(app, as(login), "");
    const { accessToken }: { accessToken?: unknown } = Object(body.data);
    return String(accessToken);
  };
  const [ann, ben] = [await signUp("ann"), await signUp("ben")];
  const answers: unknown[] = [];
  for (const [index, command] of others.entries())
    answers.push((await sendCurl(app, command, index < 2 ? ann : ben)).body.data);
  await app.stop();
  const memberships = [{ role: "owner" }, { role: "member" }];
  expect(answers).toMatchObject([
    { id: 1, name: "Acme" },
    { id: 1, email: "ben@example.com", role: "member" },
    { organisation_id: 1, role: "member" },
    { organisations: [{ name: "Acme", memberships }] },
  ]);
});
