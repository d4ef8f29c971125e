import { beforeEach, describe, expect, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import type { Reply } from "../../support/request.ts";
import { testService } from "../../support/service.ts";
import { certifiedProvider } from "../../support/social/certified-provider.ts";
import { baseUrl, begin, comeBack, socialSettings } from "../../support/social/sign-in.ts";

/** Characters that a form, a header and an address write in different ways. */
const secret = "s%:+ &=/".repeat(4);
const names = ["oidc", "google-openidconnect", "google-oauth2"] as const;
const provider = await certifiedProvider(
  names.map((name) => ({
    client_id: `id of ${name}`,
    client_secret: secret,
    redirect_uris: [`${baseUrl}/auth/${name}/callback`],
    token_endpoint_auth_method: name === "oidc" ? "client_secret_basic" : "client_secret_post",
  })),
);
const clock = testClock();
const { origin } = provider;
const ofOpenId = { oidc_endpoint: origin, id_token_issuer: origin };
const ofOAuth2 = {
  authorization_url: `${origin}/auth`,
  access_token_url: `${origin}/token`,
  userinfo_url: `${origin}/me`,
};
const settingsOf = (name: string) => ({
  ...(name === "google-oauth2" ? ofOAuth2 : ofOpenId),
  client_id: `id of ${name}`,
});
const service = await testService(
  {
    baseUrl,
    social: socialSettings(
      Object.fromEntries(
        names.map((name) => [name, { settings: settingsOf(name), secrets: { SECRET: secret } }]),
      ),
    ),
  },
  { now: clock.now },
);

beforeEach(() => service.store({}));

async function signIn(name: string, login = "ann"): Promise<Reply> {
  const { location, cookie } = await begin(service, name);
  const back = await provider.walk(location, login);
  expect(back.origin + back.pathname).toBe(`${baseUrl}/auth/${name}/callback`);
  return comeBack(service, name, Object.fromEntries(back.searchParams), cookie);
}

describe("oidc-provider, which is certified", () => {
  test.each([
    ["oidc", "client_secret_basic"],
    ["google-openidconnect", "client_secret_post"],
    ["google-oauth2", "client_secret_post"],
  ])(
    "signs in at %s with %s, PKCE and a nonce if there is an id_token; the claims are in userinfo",
    async (name) => {
      const reply = await signIn(name);
      expect(reply.text).toContain("ann@example.com");
      expect(reply.status).toBe(200);
      expect(await service.query("select email, first_name, last_name, is_verified from users")).toEqual([
        { email: "ann@example.com", first_name: "Ann", last_name: "Lee", is_verified: true },
      ]);
      expect(await service.query("select provider, uid from auth_social")).toEqual([
        { provider: name, uid: "ann" },
      ]);
    },
  );

  test.each(["oidc", "google-oauth2"])("takes a code once: %s", async (name) => {
    const { location, cookie } = await begin(service, name);
    const back = Object.fromEntries((await provider.walk(location, "ann")).searchParams);
    expect((await comeBack(service, name, back, cookie)).status).toBe(200);
    const again = await comeBack(service, name, back, cookie);
    expect([again.status, again.envelope.error]).toEqual([401, "SOCIAL_AUTH_FAILED"]);
  });

  test.each(["oidc", "google-oauth2"])("takes no code of another sign-in, by PKCE: %s", async (name) => {
    const mine = await begin(service, name);
    const theirs = await begin(service, name);
    const code = (await provider.walk(theirs.location, "eve")).searchParams.get("code") ?? "";
    const reply = await comeBack(service, name, { code, state: mine.state }, mine.cookie);
    expect([reply.status, reply.envelope.error]).toEqual([401, "SOCIAL_AUTH_FAILED"]);
  });

  test("changes its keys between two sign-ins: they are fetched again, at most once a minute", async () => {
    const fetches = () => provider.asked.filter((path) => path === "/jwks").length;
    expect((await signIn("oidc")).status).toBe(200);
    const before = fetches();
    clock.pass(61);
    await provider.rotate();
    expect((await signIn("oidc")).status).toBe(200);
    expect(fetches()).toBe(before + 1);
    await provider.rotate();
    expect((await signIn("oidc")).status).toBe(401);
    expect((await signIn("oidc")).status).toBe(401);
    expect(fetches()).toBe(before + 1);
    clock.pass(61);
    expect((await signIn("oidc")).status).toBe(200);
    expect(fetches()).toBe(before + 2);
  });
});
