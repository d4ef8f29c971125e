import { describe, expect, test } from "vitest";
import { signInPage } from "#runtime/modules/auth/http/pages/sign-in-page";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { player } from "../../support/social/player.ts";
import { baseUrl, begin, socialSettings } from "../../support/social/sign-in.ts";

const { resolve } = await player();
const social = socialSettings({ github: {} });
const service = await testService({ baseUrl, social }, { resolveProvider: resolve });
const inProduction = await testService({ baseUrl, social, production: true }, { resolveProvider: resolve });
const { html, contentSecurityPolicy } = signInPage({});
const back = (page: string) => `?redirect_to=${encodeURIComponent(page)}`;

describe("GET /auth/sign-in", () => {
  test.each([
    ["as it is", "/auth/sign-in", {}],
    ["with what a provider's sign-in brings, which it does not repeat", "/auth/sign-in?token=canary", {}],
    ["with an unknown error", "/auth/sign-in?error=%3Cscript%3Ecanary", {}],
    ["with an invalid credential", "/auth/sign-in", { authorization: "Bearer canary" }],
  ])("%s", async (_, path, headers) => {
    const reply = await service.send({ method: "GET", path, headers });
    expect([reply.status, reply.text]).toEqual([200, html]);
    expect(reply.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(reply.headers["set-cookie"]).toBeUndefined();
    expect(JSON.stringify(service.log)).not.toContain("canary");
  });

  test("its policy allows one style, one script, and requests to this origin", () => {
    const hash = "'sha256-[\\w+/=]{44}'";
    expect(contentSecurityPolicy).toMatch(
      new RegExp(
        `^default-src 'none'; style-src ${hash}; script-src ${hash}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$`,
      ),
    );
  });

  test.each(["GET", "HEAD", "POST"])("in production %s is 404", async (method) => {
    const [page, nothing] = await Promise.all(
      ["sign-in", "nothing"].map((name) => inProduction.send({ method, path: `/auth/${name}` })),
    );
    expect([page?.status, page?.text]).toEqual([404, nothing?.text]);
  });

  test("follows auth_prefix", async () => {
    const other = await testService({ authPrefix: "/account" });
    expect((await other.send({ method: "GET", path: "/account/sign-in" })).text).toBe(html);
    expect((await other.send({ method: "GET", path: "/auth/sign-in" })).status).toBe(404);
  });
});

describe("a provider's sign-in leads back to the page", () => {
  test("outside production, undeclared", async () => {
    const { reply } = await begin(service, "github", back(`${baseUrl}/auth/sign-in`));
    expect(reply.status).toBe(302);
  });

  test.each([
    [`${baseUrl}/auth/sign-in?x`],
    [`${baseUrl}/auth/sign-in#x`],
    [`${baseUrl}/auth/sign-in/`],
    ["/auth/sign-in"],
    ["https://evil.example/auth/sign-in"],
  ])("not to %s", async (page) => {
    const { reply } = await begin(service, "github", back(page));
    expect(outcome(reply)).toBe("400 VALIDATION_ERROR redirect_to");
  });

  test("not in production, which has no such page", async () => {
    const { reply } = await begin(inProduction, "github", back(`${baseUrl}/auth/sign-in`));
    expect(outcome(reply)).toBe("400 VALIDATION_ERROR redirect_to");
  });
});
