import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signInPage } from "#runtime/modules/auth/http/sign-in-page/sign-in-page";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { player } from "../../support/social/player.ts";
import { baseUrl, begin, socialSettings } from "../../support/social/sign-in.ts";

const { resolve } = await player();
const social = socialSettings({ github: {} });
const service = await testService({ baseUrl, social }, { resolveProvider: resolve });
const inProduction = await testService({ baseUrl, social, production: true }, { resolveProvider: resolve });
const features = [
  ...["profile", "email", "phone", "password", "sessions", "providers", "delete", "export"],
  ...["social", "linking", "emailCodes", "passkeys", "administration", "development"],
];
/** Those that `self` writes. */
const columns = {
  settings: {},
  pin: { type: ["string", "null"], format: "password" },
  nickname: { type: ["string", "null"], maxLength: 20 },
};
const settings = { registration: true, columns, beginnings: {} };
const { html, contentSecurityPolicy } = signInPage({ features, ...settings });
const pageFolder = join(import.meta.dirname, "../../../runtime/modules/auth/http/sign-in-page/page");
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

  test("its policy allows one style, files of the service, and requests to it", () => {
    expect(contentSecurityPolicy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
  });

  test("its files are those that they import from each other", async () => {
    const seen = new Set<string>();
    const follow = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, text } = await service.send({ method: "GET", path });
      expect([path, status]).toEqual([path, 200]);
      if (path.includes("/packages/")) return;
      expect(text).not.toMatch(/innerHTML|\beval\b|localStorage|dangerouslySet/i);
      const code = text.replace(/\/\*\*.*?\*\//gs, "");
      const imports = [...code.matchAll(/from "(\.[^"]+)"/g)].map(([, to = ""]) => to);
      for (const to of imports) await follow(new URL(to, `http://host${path}`).pathname);
    };
    await follow("/auth/sign-in/app.js");
    const files = readdirSync(pageFolder).filter((name) => name.endsWith(".js"));
    const own = [...seen].filter((path) => !path.includes("/packages/"));
    expect(own.sort()).toEqual(files.map((name) => `/auth/sign-in/${name}`).sort());
    expect((await inProduction.send({ method: "GET", path: "/auth/sign-in/app.js" })).status).toBe(404);
  });

  test.each(["GET", "HEAD", "POST"])("in production %s is 404", async (method) => {
    const [page, nothing] = await Promise.all(
      ["sign-in", "nothing"].map((name) => inProduction.send({ method, path: `/auth/${name}` })),
    );
    expect([page?.status, page?.text]).toEqual([404, nothing?.text]);
  });

  test("follows auth_prefix", async () => {
    const other = await testService({ authPrefix: "/account" });
    const { html: own } = signInPage({
      features: features.filter((one) => one !== "social" && one !== "linking"),
      ...settings,
    });
    expect((await other.send({ method: "GET", path: "/account/sign-in" })).text).toBe(own);
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
