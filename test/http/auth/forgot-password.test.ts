import { describe, expect, test } from "vitest";
import { forgotPasswordPage } from "#runtime/auth/http/pages/index";
import { testService } from "../../support/service.ts";

const { send, log } = await testService();
const { html, contentSecurityPolicy } = forgotPasswordPage();

describe("GET /auth/forgot-password", () => {
  test.each([
    ["as it is", "/auth/forgot-password", {}],
    ["with a token, which it does not repeat", "/auth/forgot-password?token=%3Cscript%3Ecanary", {}],
    ["whatever the credential says", "/auth/forgot-password", { authorization: "Bearer canary" }],
  ])("%s", async (_, path, headers) => {
    const reply = await send({ method: "GET", path, headers });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(html);
    expect(reply.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(reply.headers["set-cookie"]).toBeUndefined();
  });

  test("HEAD answers the headers", async () => {
    const reply = await send({ method: "HEAD", path: "/auth/forgot-password" });
    expect([reply.status, reply.text]).toEqual([200, ""]);
    expect(reply.headers["content-security-policy"]).toBe(contentSecurityPolicy);
  });

  test("POST is 405", async () => {
    const reply = await send({ method: "POST", path: "/auth/forgot-password", body: {} });
    expect([reply.status, reply.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test("the token of a link is not logged", () => {
    expect(JSON.stringify(log)).not.toContain("canary");
  });
});

test("follows auth_prefix", async () => {
  const other = await testService({ authPrefix: "/account" });
  expect((await other.send({ method: "GET", path: "/account/forgot-password" })).text).toBe(html);
  expect((await other.send({ method: "GET", path: "/auth/forgot-password" })).status).toBe(404);
});
