import { beforeEach, describe, expect, test } from "vitest";
import { accountRoutes } from "#runtime/auth/index";
import { account, accounts, password, session, storedReset } from "../../support/accounts.ts";
import { resetToken, signing } from "../../support/links.ts";
import type { Reply } from "../../support/request.ts";
import { type TestService, testService } from "../../support/service.ts";
import { claimsOf, signed } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { socialSettings } from "../../support/social/sign-in.ts";

const sms = await testSms();
const auth = { cookieName: "session", accessTokenSeconds: 300 };
const settings = { ...signing, sms: sms.settings };
const apple = { "apple-id": { settings: { team_id: "TEAM", key_id: "KEY" } } };
const service = await testService({
  ...settings,
  auth: { ...auth, cookieDomain: "example.com" },
  social: socialSettings(apple),
});
const hostOnly = await testService({ ...settings, auth });
const without = await testService(settings);

const mine = session(1);
const link = resetToken(1);
const phone = "+12025550123";
const given = accounts([account(1, { phone_number: phone })], [mine.row, storedReset(1, link)]);
const email = "user1@example.com";
const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };
const admin = { authorization: `Bearer ${signed(claimsOf({ role: "admin", sub: "1" }))}` };

type Body = Record<string, string | number>;

/** A request that each route answers with success, as far as one request can; the others are refused. */
const bodies: Readonly<Record<string, Body>> = {
  "/register": { email: "new@example.com", password },
  "/login": { email, password },
  "/refresh-token": { refreshToken: mine.token },
  "/logout": { token: mine.token },
  "/change-password": { current_password: password, ...confirmed },
  "/request-verification": { email },
  "/request-reset-password": { email },
  "/reset-password": { token: link, ...confirmed },
  "/generate-verification-link": { user_id: 1, email, type: "password_reset" },
  "/request-otp": { phone_number: phone },
  "/verify-mfa": { code: "1" },
  "/disable-mfa": { code: "1" },
  "/api-keys/revoke": { id: 1 },
};
/** Nobody has begun a sign-in; what one sets is in the tests of social sign-in. */
const social = [
  "/{provider}/login",
  "/{provider}/callback",
  "/apple/callback",
  "/{provider}/mobile",
  "/verify-web-auth",
];
const refused = ["/verify-mfa", "/disable-mfa", "/api-keys/revoke", "/verify-email", ...social];
const setting = ["/login", "/refresh-token", "/verify-otp"];

async function bodyOf(path: string, to: TestService): Promise<Body> {
  if (path !== "/verify-otp") return bodies[path] ?? {};
  await to.send({ method: "POST", path: "/auth/request-otp", body: { phone_number: phone } });
  return { phone_number: phone, otp: sms.codeOf(phone) };
}

async function ask(method: string, path: string, to = service): Promise<Reply> {
  await to.store(given);
  const body = method === "GET" ? {} : { body: await bodyOf(path, to) };
  return to.send({ method, path: `/auth${path.replace("{provider}", "apple-id")}`, headers: admin, ...body });
}

const cookies = ({ headers }: Reply) => headers["set-cookie"] ?? [];
const tokenOf = ({ envelope }: Reply) => (envelope.data as { accessToken: string }).accessToken;

describe("with auth.cookie_name", () => {
  test.each(accountRoutes.map(({ method, path }) => [method, path] as const))(
    "%s %s",
    async (method, path) => {
      const reply = await ask(method, path);
      expect(reply.status === 200, reply.text).toBe(!refused.includes(path));
      expect(reply.headers["cache-control"]).toBe("no-store");
      if (setting.includes(path)) {
        const [cookie, ...more] = cookies(reply);
        expect(more).toEqual([]);
        const attributes = (cookie ?? "").split("; ").filter((part) => !part.startsWith("Expires="));
        expect(attributes.sort()).toEqual(
          [
            `session=${tokenOf(reply)}`,
            "Max-Age=300",
            "Domain=example.com",
            "Path=/",
            "HttpOnly",
            "Secure",
            "SameSite=Lax",
          ].sort(),
        );
      } else if (path === "/logout") {
        // Browsers delete a cookie only where name, domain and path are those of the one they hold.
        expect(cookies(reply)).toEqual([
          "session=; Domain=example.com; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
        ]);
      } else if (path.endsWith("/callback")) {
        for (const cookie of cookies(reply)) expect(cookie).toMatch(/^kirak_oauth=;/);
      } else {
        expect(cookies(reply)).toEqual([]);
      }
    },
  );

  test.each<[string, Body]>([
    ["/login", { email, password: "Wrong-Horse-1!!" }],
    ["/refresh-token", { refreshToken: "x.y.z" }],
    ["/refresh-token", { refreshToken: session(1).token }],
    ["/verify-otp", { phone_number: phone, otp: "000000" }],
    ["/logout", { token: "x.y.z" }],
  ])("a failure touches no cookie: %s %j", async (path, body) => {
    await service.store(given);
    const reply = await service.send({ method: "POST", path: `/auth${path}`, body, headers: admin });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(cookies(reply)).toEqual([]);
  });

  test("the cookie alone signs in, on session routes and model routes, until the logout", async () => {
    const cookie = (cookies(await ask("POST", "/login"))[0] ?? "").split(";")[0] ?? "";
    const send = async (method: string, path: string, body?: Body) =>
      (await service.send({ method, path, headers: { cookie }, ...(body !== undefined && { body }) })).status;
    expect(await send("GET", "/auth/me")).toBe(200);
    expect(await send("GET", "/tasks/fetch")).toBe(200);
    expect(await send("POST", "/auth/logout", { token: mine.token })).toBe(200);
    expect(await send("GET", "/auth/me")).toBe(401);
  });
});

test("without auth.cookie_domain the cookie is of the host that answered", async () => {
  for (const path of ["/login", "/logout"])
    expect(cookies(await ask("POST", path, hostOnly)).join()).toMatch(/^session=(?!.*Domain)/);
});

describe("without auth.cookie_name", () => {
  beforeEach(() => without.store(given));

  test.each([...setting, "/logout"])("POST %s sends no cookie", async (path) => {
    const reply = await ask("POST", path, without);
    expect([reply.status, cookies(reply)]).toEqual([200, []]);
  });

  test("none is read", async () => {
    const headers = { cookie: `session=${signed(claimsOf("user"))}` };
    expect((await without.send({ method: "GET", path: "/auth/me", headers })).envelope.error).toBe(
      "MISSING_TOKEN",
    );
  });
});
