import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { oauth1Providers } from "#vocabulary/social/oauth1-providers";
import { outcome } from "../../support/scenarios.ts";
import { type Consumer, given, OAuth1Server } from "../../support/social/oauth1-server.ts";
import type { Heard, Says } from "../../support/social/player.ts";
import { baseUrl, begin, comeBack, socialService, socialSettings } from "../../support/social/sign-in.ts";

const names = ["discogs", "evernote", "google-oauth", "mediawiki", "trello", "tripit", "twitter"];
const mediawiki_url = "https://wiki.example.org/w/index.php";
const settings: Record<string, Record<string, string>> = {
  mediawiki: { mediawiki_url, callback: `${baseUrl}/auth/mediawiki/callback` },
  trello: { app_name: "Our App" },
};
const declared = Object.fromEntries(names.map((name) => [name, { settings: settings[name] ?? {} }]));
const { service, provider, users } = await socialService(socialSettings(declared));

const consumerOf = (name: string): Consumer => ({
  key: `id-of-${name}`,
  secret: `secret-of-${name}`,
  settings: settings[name] ?? {},
});
function serverOf(name: string, answers = {}): OAuth1Server {
  const row = oauth1Providers[name];
  if (row === undefined) throw new Error(`no row has the name ${name}`);
  return new OAuth1Server(provider, row, consumerOf(name), answers);
}

/** TripIt and MediaWiki answer in a form of their own. */
const profiles: Record<string, (heard: Heard, signed: ReadonlyMap<string, string>) => Says | Promise<Says>> =
  {
    tripit: () => ({
      headers: { "content-type": "text/xml; charset=UTF-8" },
      text: `<?xml version="1.0"?><Response><Profile ref="101"><public_display_name>Ann Lee</public_display_name>
<ProfileEmailAddresses><ProfileEmailAddress><address>old@example.com</address><is_primary>false</is_primary></ProfileEmailAddress>
<ProfileEmailAddress><address>ann@example.com</address><is_confirmed>true</is_confirmed><is_primary>true</is_primary></ProfileEmailAddress>
</ProfileEmailAddresses></Profile></Response>`,
    }),
    mediawiki: (_, signed) => identify({ nonce: signed.get("oauth_nonce") }),
  };

async function identify(
  claims: Record<string, unknown>,
  secret = "secret-of-mediawiki",
  alg = "HS256",
): Promise<Says> {
  const token = await new SignJWT({
    iss: "http://wiki.example.org",
    aud: "id-of-mediawiki",
    username: "Ann",
    email: "ann@example.com",
    confirmed_email: true,
    ...claims,
  })
    .setProtectedHeader({ alg })
    .setSubject("101")
    .setIssuedAt((claims["iat"] as number | undefined) ?? Math.floor(Date.now() / 1000))
    .sign(Buffer.from(secret));
  return { text: token, headers: { "content-type": "application/jwt" } };
}

describe("OAuth 1.0a", () => {
  const email = "ann@example.com";
  const named = { first_name: "Ann", last_name: "Lee" };
  const emptyProfile = { email: null, is_verified: false, first_name: null, last_name: null };
  // biome-ignore format: one case a line
  test.each<[string, string, object]>([
    ["discogs", "https://www.discogs.com/oauth/authorize", { uid: "101", ...emptyProfile, ...named }],
    ["evernote", "https://www.evernote.com/OAuth.action", { uid: "101", ...emptyProfile }],
    ["google-oauth", "https://www.google.com/accounts/OAuthAuthorizeToken", { uid: email, email, is_verified: false, ...named }],
    ["mediawiki", `${mediawiki_url}?title=Special:OAuth/authenticate&oauth_consumer_key=id-of-mediawiki`, { uid: "101", ...emptyProfile, email, is_verified: true }],
    ["trello", "https://trello.com/1/OAuthAuthorizeToken?name=Our App&expiration=never&scope=read,account", { uid: "101", ...emptyProfile, email }],
    ["tripit", "https://www.tripit.com/oauth/authorize", { uid: "101", email, is_verified: true, ...named }],
    ["twitter", "https://api.twitter.com/oauth/authenticate", { uid: "101", email, is_verified: false, ...named }],
  ])("%s signs in", async (name, authorize, account) => {
    const profile = profiles[name];
    const server = serverOf(name, { accessToken: { edam_userId: "101" }, ...(profile && { profile }) });
    const { location, state, cookie } = await begin(service, name);
    const address = new URL(authorize);
    address.searchParams.set("oauth_token", given.requestToken);
    expect(location.href).toBe(address.href);
    expect(state).toBe("");
    expect(server.callback).toMatch(`${baseUrl}/auth/${name}/callback?state=`);
    const back = await comeBack(service, name, server.comeBack(), cookie);
    expect(outcome(back), JSON.stringify(service.log)).toBe("200");
    expect(await users()).toEqual([{ provider: name, ...account }]);
  });
});

/** A sign-in at Twitter that comes back with other parameters. */
async function twitter(change: Readonly<Record<string, string | null>>, answers = {}) {
  const server = serverOf("twitter", answers);
  const { cookie } = await begin(service, "twitter");
  const parameters = Object.entries({ ...server.comeBack(), ...change });
  const sent = parameters.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return outcome(await comeBack(service, "twitter", Object.fromEntries(sent), cookie));
}
const reasons = () => service.log.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));

describe("a callback of OAuth 1.0a", () => {
  test("needs the verifier and the token", async () => {
    expect(await twitter({ oauth_verifier: null })).toBe("400 VALIDATION_ERROR oauth_verifier");
    expect(await twitter({ oauth_token: null })).toBe("400 VALIDATION_ERROR oauth_token");
    expect(await users()).toEqual([]);
  });

  test.each([
    ["the user refused", { denied: given.requestToken, oauth_token: null, oauth_verifier: null }],
    ["the user refused", { oauth_problem: "user_refused", oauth_verifier: null }],
    ["the provider refused", { oauth_problem: "token_expired", oauth_verifier: null }],
    ["the request token does not match the one of this sign-in", { oauth_token: "another" }],
    ["the provider answered 401 at access_token_url", { oauth_verifier: "another" }],
  ])("is refused: %s, %j", async (reason, change) => {
    expect(await twitter(change)).toBe("401 SOCIAL_AUTH_FAILED");
    expect(reasons()).toEqual([reason]);
    expect(await users()).toEqual([]);
  });

  test.each(["web", "ios", "android"])("needs its cookie on platform %s", async (platform) => {
    const server = serverOf("twitter");
    const first = await begin(service, "twitter", `?platform=${platform}`);
    expect(outcome(await comeBack(service, "twitter", server.comeBack(), null))).toBe(
      "400 VALIDATION_ERROR state",
    );
    const other = await begin(service, "twitter", `?platform=${platform}`);
    const mixed = await comeBack(service, "twitter", server.comeBack(), first.cookie);
    expect(outcome(mixed)).toBe("400 VALIDATION_ERROR state");
    expect(outcome(await comeBack(service, "twitter", server.comeBack(), other.cookie))).toBe("200");
  });

  test("sends the secrets of the tokens only to the provider", async () => {
    const server = serverOf("twitter");
    const { cookie, reply, location } = await begin(service, "twitter");
    const back = await comeBack(service, "twitter", server.comeBack(), cookie);
    expect(outcome(back)).toBe("200");
    const seen = [cookie, reply.text, location.href, back.text, JSON.stringify(service.log)].join();
    for (const secret of [given.requestSecret, given.accessSecret, given.accessToken, "secret-of-twitter"])
      expect(decodeURIComponent(seen.replaceAll("%", "%25"))).not.toContain(secret);
    for (const { url } of provider.heard) expect(url.search).not.toContain("oauth_");
  });
});

describe("a login of OAuth 1.0a", () => {
  // biome-ignore format: one case a line
  test.each([
    ["does not confirm the callback", { oauth_callback_confirmed: "false" }, "the provider did not confirm the callback"],
    ["gives no token", { oauth_token: "" }, "the response has no token"],
  ])("is refused where the provider %s", async (_, requestToken, reason) => {
    serverOf("twitter", { requestToken });
    const { reply } = await begin(service, "twitter");
    expect(outcome(reply)).toBe("401 SOCIAL_AUTH_FAILED");
    expect(reasons()).toEqual([reason]);
  });

  test("is refused where the provider is down", async () => {
    provider.play("POST https://api.twitter.com/oauth/request_token", () => ({ status: 503, text: "down" }));
    expect(outcome((await begin(service, "twitter")).reply)).toBe("401 SOCIAL_AUTH_FAILED");
  });
});

describe("MediaWiki's answer about the person", () => {
  const now = Math.floor(Date.now() / 1000);
  test.each<[string, (nonce: string) => Promise<Says>]>([
    ["signed with another secret", (nonce) => identify({ nonce }, "another-secret")],
    ["signed by another algorithm", (nonce) => identify({ nonce }, "secret-of-mediawiki", "HS512")],
    ["for another app", (nonce) => identify({ nonce, aud: "id-of-another" })],
    ["of another wiki", (nonce) => identify({ nonce, iss: "https://evil.example.org" })],
    ["to another request", () => identify({ nonce: "another" })],
    ["without a nonce", () => identify({})],
    ["of long ago", (nonce) => identify({ nonce, iat: now - 3600 })],
    ["of the future", (nonce) => identify({ nonce, iat: now + 3600 })],
    ["that is no token", async () => ({ text: "no token" })],
    [
      "without a signature",
      async (nonce) => {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
        const claims = { iss: "https://wiki.example.org", aud: "id-of-mediawiki", sub: "1", iat: now, nonce };
        return { text: `${part({ alg: "none" })}.${part(claims)}.` };
      },
    ],
  ])("is refused: %s", async (_, answer) => {
    const server = serverOf("mediawiki", {
      profile: (_heard: Heard, signed: ReadonlyMap<string, string>) =>
        answer(signed.get("oauth_nonce") ?? ""),
    });
    const { cookie } = await begin(service, "mediawiki");
    const back = await comeBack(service, "mediawiki", server.comeBack(), cookie);
    expect(outcome(back)).toBe("401 SOCIAL_AUTH_FAILED");
    expect(await users()).toEqual([]);
  });

  test("needs an address that can carry a state", () => {
    const declare = () => socialSettings({ mediawiki: { settings: { mediawiki_url, callback: "oob" } } });
    expect(declare).toThrow(/"callback" of "mediawiki" must be the registered address/);
  });
});
