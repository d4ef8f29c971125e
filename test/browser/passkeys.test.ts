import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { account, accounts, countRows, password } from "../support/accounts.ts";
import { type Tab, testBrowser } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import type { Reply } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const browser = testBrowser();
const port = await freePort();
const origin = `http://localhost:${port}`;
const passkeys = { rpId: "localhost", rpName: "Shop", origins: [origin] };
const service = await testService({ baseUrl: origin, auth: { passkeys } }, { port });
const email = "user1@example.com";

const post = (path: string, body: Json, token?: string) =>
  service.send({
    method: "POST",
    path: `/auth/${path}`,
    body,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
};

/** A page of the service, and a device that has the user agree at once. */
async function device(tab: Tab) {
  const { page } = tab;
  await page.goto(`${origin}/auth/forgot-password`);
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  await session.send("WebAuthn.addVirtualAuthenticator", { options });
  const run = (method: "create" | "get", options: Json): Promise<Json> =>
    page.evaluate(`(async (options) => {
      const parse = ${method === "create"} ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
      const publicKey = PublicKeyCredential[parse](options);
      return (await navigator.credentials.${method}({ publicKey })).toJSON();
    })(${JSON.stringify(options)})`);
  return { create: (options: Json) => run("create", options), get: (options: Json) => run("get", options) };
}

describe.skipIf(browser === null)("passkeys of Chromium", () => {
  beforeEach(() => service.store(accounts([account(1)])));

  test("are registered, sign in, and are a second factor", async () => {
    if (browser === null) return;
    const key = await device(await browser.open(origin, {}));
    const { accessToken } = dataOf(await post("login", { email, password }));
    const registering = dataOf(await post("passkeys/register-options", {}, accessToken)).options;
    const response = await key.create(registering);
    const added = dataOf(await post("passkeys/register", { response, name: "Chromium" }, accessToken));
    expect(added).toMatchObject({ name: "Chromium", device_type: "singleDevice", transports: ["internal"] });

    const { options } = dataOf(await post("passkeys/login-options", {}));
    expect(dataOf(await post("passkeys/login", { response: await key.get(options) })).user.user_id).toBe(1);
    expect(await countRows(service, "auth_passkeys", "counter > 0 AND last_used_at IS NOT NULL")).toBe(1);

    await service.query(
      "INSERT INTO auth_mfa (user_id, secret, backup_codes, enabled) VALUES (1, 'x', '[]', true)",
    );
    const refused = await post("login", { email, password });
    const { passkey_options } = Object(refused.envelope.details);
    dataOf(await post("login", { email, password, passkey: await key.get(passkey_options) }));
    const methods = "signed_in_with = '{password,passkey}'";
    expect(await countRows(service, "auth_sessions", methods)).toBe(1);
  });
});
