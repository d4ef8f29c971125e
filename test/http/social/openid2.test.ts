import { describe, expect, test } from "vitest";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import {
  type Assertion,
  OpenId2Server,
  type OpenId2ServerOptions,
  type Published,
} from "../../support/social/openid2-server.ts";
import { baseUrl, begin, comeBack, socialService, socialSettings } from "../../support/social/sign-in.ts";

const noId = { settings: { client_id: undefined }, secrets: {} };
const allowed_hosts = ["id.example.net", "login.example.net"];
const { service, provider, users, reasons } = await socialService(
  socialSettings({
    "actionid-openid": noId,
    launchpad: noId,
    livejournal: noId,
    openid: { settings: { client_id: undefined, allowed_hosts }, secrets: {} },
    openinfra: noId,
    steam: { ...noId, secrets: { API_KEY: "the-api-key" } },
  }),
);

describe("OpenID 2.0", () => {
  const site = (address: string) => ({ url: address, claimedId: `${address.replace(/\/$/, "")}/id/101` });
  const identity = (address: string) => ({ url: address, claimedId: address, isIdentity: true });
  const steamEndpoint = "https://steamcommunity.com/openid/login";
  // biome-ignore format: one case a line
  test.each<[string, string, Omit<OpenId2ServerOptions, "endpoint"> & { endpoint?: string; claimedId: string }]>([
    ["actionid-openid", "", { ...site("https://accounts.ngpvan.com/Home/Xrds"), knows: ["http://openid.net/schema/"] }],
    ["launchpad", "", { ...site("https://login.launchpad.net"), knows: ["sreg"], published: "header" }],
    ["openinfra", "", { ...site("https://id.openinfra.dev"), knows: ["http://axschema.org/"], published: "meta" }],
    ["steam", "", { ...site("https://steamcommunity.com/openid"), endpoint: steamEndpoint }],
    ["livejournal", "?openid_lj_user=ann", { ...identity("https://ann.livejournal.com/"), knows: ["sreg"], endpoint: "https://www.livejournal.com/openid/server.bml" }],
    ["openid", "?openid_identifier=id.example.net/ann%23me", { ...identity("https://id.example.net/ann"), knows: ["sreg"], endpoint: "https://login.example.net/endpoint?tenant=1&x=2" }],
  ])("%s signs in", async (name, query, { claimedId, endpoint, ...options }) => {
    const server = new OpenId2Server(provider, { ...options, endpoint: endpoint ?? new URL("/+openid", options.url).href });
    provider.play("GET https://api.steampowered.com/ISteamUser/GetPlayerSummaries/v0002/", ({ url: called }) => {
      expect(Object.fromEntries(called.searchParams)).toEqual({ key: "the-api-key", steamids: "101" });
      return { json: { response: { players: [{ steamid: "101", personaname: "Ann" }] } } };
    });
    const { location, cookie, reply } = await begin(service, name, query);
    expect(reply.status, JSON.stringify(reasons())).toBe(302);
    const back = await comeBack(service, name, server.comeBack(location, { claimedId, email: "ann@example.com" }), cookie);
    expect(outcome(back), JSON.stringify(reasons())).toBe("200");
    const isSteam = name === "steam";
    const known = { email: "ann@example.com", first_name: "Ann", last_name: "Lee" };
    const unknown = { email: null, first_name: null, last_name: null };
    expect(await users()).toEqual([
      { provider: name, uid: isSteam ? "101" : claimedId, is_verified: false, ...(isSteam ? unknown : known) },
    ]);
    expect(provider.heard.some(({ url: called }) => called.host === "api.steampowered.com")).toBe(isSteam);
  });
});

const url = "https://login.launchpad.net";
const endpoint = "https://login.launchpad.net/+openid";
const claimedId = "https://login.launchpad.net/+id/ann";
const launchpad = { url, endpoint, knows: ["sreg"] } as const;

/** A sign-in at Launchpad whose answer is another one. */
async function answer(change: Partial<Assertion>, more: Readonly<Record<string, string>> = {}) {
  const server = new OpenId2Server(provider, launchpad);
  const { location, cookie } = await begin(service, "launchpad");
  const query = server.comeBack(location, { claimedId, email: "ann@example.com", ...change });
  return outcome(await comeBack(service, "launchpad", { ...query, ...more }, cookie));
}
const at = (milliseconds: number) => `${new Date(Date.now() + milliseconds).toISOString().slice(0, 19)}Zabc`;

describe("a callback of OpenID 2.0", () => {
  test("needs a message", async () => {
    expect(await answer({ forged: { mode: null } })).toBe("400 VALIDATION_ERROR openid.mode");
  });

  const unsigned = "a required field is not signed";
  const otherwise = "the server did not confirm the response";
  const host = "the identity is at another host";
  // biome-ignore format: one case a line
  test.each<[string, string, Partial<Assertion>]>([
    ["the user said no", "the user refused", { forged: { mode: "cancel" } }],
    ["the provider said no", "the provider refused", { forged: { mode: "setup_needed" } }],
    ["another version", "the response does not use OpenID 2.0", { forged: { ns: "http://openid.net/signon/1.1" } }],
    ["another identity than was signed", otherwise, { forged: { claimed_id: `${claimedId}-evil` } }],
    ["an invalid signature", otherwise, { forged: { sig: "AAAA" } }],
    ["identity not signed", unsigned, { forged: { signed: "op_endpoint,return_to,response_nonce,assoc_handle" } }],
    ["no identity", unsigned, { signedAs: { claimed_id: null, identity: null } }],
    ["no nonce", unsigned, { signedAs: { response_nonce: null } }],
    ["an answer of long ago", "the response is too old, or from the future", { signedAs: { response_nonce: at(-301_000) } }],
    ["an answer of the future", "the response is too old, or from the future", { signedAs: { response_nonce: at(120_000) } }],
    ["a nonce without a moment", "the response is too old, or from the future", { signedAs: { response_nonce: "abc" } }],
    ["an answer for another site", "return_to is not the callback address of this sign-in",
      { signedAs: { return_to: "https://evil.example.com/auth/launchpad/callback" } }],
    ["another server", "op_endpoint is not the server of the identity", { signedAs: { op_endpoint: "https://evil.example.com/" } }],
    ["an identity of another host", host, { signedAs: { claimed_id: "https://ann.example.com/" } }],
    ["an identity of a host that only ends so", host, { signedAs: { claimed_id: "https://evillogin.launchpad.net/" } }],
    ["an identity of the host above", host, { signedAs: { claimed_id: "https://launchpad.net/~ann" } }],
    ["an identity in a user part", host, { signedAs: { claimed_id: "https://login.launchpad.net@evil.com/" } }],
  ])("is refused: %s", async (_, reason, change) => {
    expect(await answer(change)).toBe("401 SOCIAL_AUTH_FAILED");
    expect(reasons()).toEqual([reason]);
    expect(await users()).toEqual([]);
    expect(provider.heard.map(({ url: called }) => called.host)).not.toContain("evil.example.com");
  });

  test.each(["https://ann.login.launchpad.net/", "https://login.launchpad.net:8443/+id/ann"])(
    "takes an identity below the host of the provider, at any port: %s",
    async (identity) => {
      expect(await answer({ claimedId: identity }), JSON.stringify(reasons())).toBe("200");
      expect(await users()).toMatchObject([{ uid: identity }]);
    },
  );

  test("takes nothing that the server has not signed", async () => {
    expect(await answer({}, { "openid.reg.email": "evil@example.com" })).toBe("401 SOCIAL_AUTH_FAILED");
    expect(
      await answer(
        {},
        { "openid.ns.x": "http://openid.net/srv/ax/1.0", "openid.x.value.email": "evil@example.com" },
      ),
    ).toBe("200");
    expect(await users()).toMatchObject([{ email: "ann@example.com" }]);
  });

  test("accepts a response once, as the server confirms", async () => {
    const server = new OpenId2Server(provider, launchpad);
    const { location, cookie } = await begin(service, "launchpad");
    const query = server.comeBack(location, { claimedId, email: "ann@example.com" });
    expect(outcome(await comeBack(service, "launchpad", query, cookie))).toBe("200");
    expect(outcome(await comeBack(service, "launchpad", query, cookie))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(reasons()).toEqual([otherwise]);
  });

  test("takes no answer to another sign-in", async () => {
    const server = new OpenId2Server(provider, launchpad);
    const first = await begin(service, "launchpad");
    const second = await begin(service, "launchpad");
    const query = server.comeBack(first.location, { claimedId, email: "ann@example.com" });
    const state =
      new URL(second.location.searchParams.get("openid.return_to") ?? "").searchParams.get("state") ?? "";
    expect(outcome(await comeBack(service, "launchpad", { ...query, state }, second.cookie))).toBe(
      "401 SOCIAL_AUTH_FAILED",
    );
    expect(outcome(await comeBack(service, "launchpad", query, second.cookie))).toBe(
      "400 VALIDATION_ERROR state",
    );
    expect(outcome(await comeBack(service, "launchpad", query, null))).toBe("400 VALIDATION_ERROR state");
  });

  test("needs the identity of Steam to be one of Steam's", async () => {
    const steam = {
      url: "https://steamcommunity.com/openid",
      endpoint: "https://steamcommunity.com/openid/login",
    };
    const server = new OpenId2Server(provider, steam);
    for (const claimed of [
      "https://steamcommunity.com/openid/id/1/../7",
      "https://steamcommunity.com/openid/id/",
      "https://steamcommunity.com/profiles/7",
      "http://steamcommunity.com/openid/id/7",
      "https://steamcommunity.com/evilid/id/7",
    ]) {
      const { location, cookie } = await begin(service, "steam");
      const query = server.comeBack(location, { claimedId: claimed, email: "" });
      expect(outcome(await comeBack(service, "steam", query, cookie))).toBe("401 SOCIAL_AUTH_FAILED");
    }
    expect(new Set(reasons())).toEqual(new Set(["the identity does not belong to this provider"]));
  });
});

test("openid_url of Steam says what its identities begin with, too", async () => {
  const openid_url = "https://steam.example.org/openid/";
  const settings = { client_id: undefined, openid_url };
  const moved = await testService(
    { baseUrl, social: socialSettings({ steam: { settings, secrets: { API_KEY: "k" } } }) },
    { resolveProvider: provider.resolve },
  );
  const server = new OpenId2Server(provider, {
    url: openid_url,
    endpoint: "https://steam.example.org/login",
  });
  provider.play("GET https://api.steampowered.com/ISteamUser/GetPlayerSummaries/v0002/", () => ({
    json: {},
  }));
  const signIn = async (identity: string) => {
    const { location, cookie } = await begin(moved, "steam");
    return outcome(
      await comeBack(moved, "steam", server.comeBack(location, { claimedId: identity, email: "" }), cookie),
    );
  };
  expect(await signIn("https://steamcommunity.com/openid/id/7")).toBe("401 SOCIAL_AUTH_FAILED");
  expect(await signIn("https://steam.example.org/openid/ids/7")).toBe("401 SOCIAL_AUTH_FAILED");
  expect(await signIn("https://steam.example.org/openid/id/7")).toBe("200");
});

describe("a server that the user names", () => {
  const identity = "https://id.example.net/ann";
  const ann = {
    url: identity,
    endpoint: "https://login.example.net/endpoint",
    isIdentity: true,
    knows: ["sreg"],
  } as const;
  const start = (identifier: string) =>
    begin(service, "openid", `?openid_identifier=${encodeURIComponent(identifier)}`);

  // biome-ignore format: many on a line
  test.each([
    "", "https://evil.example.com/ann", "https://id.example.net.evil.com/", "https://id.example.net@evil.com/",
    "https://user:pass@id.example.net/", "https://id.example.net:8443/ann", "http://id.example.net/ann", "file:///etc/passwd",
    "http://127.0.0.1:5432/", "https://169.254.169.254/latest/meta-data", "https://[::1]/", "javascript:alert(1)", "=ann",
    `https://id.example.net/${"a".repeat(600)}`,
  ])("is not asked where settings do not allow it: %s", async (identifier) => {
    expect(outcome((await start(identifier)).reply)).toBe("400 VALIDATION_ERROR openid_identifier");
    expect(provider.heard).toEqual([]);
  });

  test.each(["", "ann.evil", "ann/", "a@b", "-ann", "127.0.0.1:80#"])(
    "needs a name of LiveJournal: %s",
    async (name) => {
      const { reply } = await begin(service, "livejournal", `?openid_lj_user=${encodeURIComponent(name)}`);
      expect(outcome(reply)).toBe("400 VALIDATION_ERROR openid_lj_user");
      expect(provider.heard).toEqual([]);
    },
  );

  test.each<Published>(["document", "header", "meta", "links"])("is found by its %s", async (published) => {
    for (const localId of [undefined, "https://login.example.net/users/7"]) {
      await service.store({});
      const server = new OpenId2Server(provider, { ...ann, published, ...(localId && { localId }) });
      const { location, cookie } = await start(identity);
      const query = server.comeBack(location, { claimedId: `${identity}#g1`, email: "ann@example.com" });
      expect(outcome(await comeBack(service, "openid", query, cookie)), JSON.stringify(reasons())).toBe(
        "200",
      );
      expect(await users()).toMatchObject([
        { uid: `${identity}#g1`, email: "ann@example.com", is_verified: false },
      ]);
    }
  });

  // biome-ignore format: one case a line
  test.each<[string, () => void]>([
    ["where people sign in is at another host", () => void new OpenId2Server(provider, { ...ann, endpoint: "https://evil.example.com/endpoint" })],
    [
      "its document is at another host",
      () => provider.play(`GET ${identity}`, () => ({ headers: { "x-xrds-location": "https://evil.example.com/xrds" }, text: "" })),
    ],
    [
      "its document is on this machine",
      () => provider.play(`GET ${identity}`, () => ({ headers: { "x-xrds-location": "http://127.0.0.1:1/" }, text: "" })),
    ],
    [
      "it leads to another address",
      () => provider.play(`GET ${identity}`, () => ({ status: 302, headers: { location: "https://evil.example.com/" } })),
    ],
    ["it says nothing", () => provider.play(`GET ${identity}`, () => ({ text: "<html><head></head></html>" }))],
    [
      "its document has a document type",
      () =>
        provider.play(`GET ${identity}`, () => ({ headers: { "content-type": "application/xrds+xml" },
          text: '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><XRDS><XRD>&e;</XRD></XRDS>',
        })),
    ],
  ])("is refused where %s", async (_, play) => {
    play();
    expect(outcome((await start(identity)).reply)).toBe("401 SOCIAL_AUTH_FAILED");
    expect(provider.heard.map(({ url: called }) => called.host)).toEqual(["id.example.net"]);
  });

  test("is refused for an identity that the address does not name", async () => {
    const server = new OpenId2Server(provider, ann);
    const { location, cookie } = await start(identity);
    const other = { claimedId: identity, email: "", signedAs: { identity: "https://id.example.net/other" } };
    expect(outcome(await comeBack(service, "openid", server.comeBack(location, other), cookie))).toBe(
      "401 SOCIAL_AUTH_FAILED",
    );
    // The address of a server is not an identity.
    const site = "https://id.example.net/";
    const ofAll = new OpenId2Server(provider, { url: site, endpoint: ann.endpoint });
    const begun = await start("id.example.net");
    const query = ofAll.comeBack(begun.location, { claimedId: site, email: "" });
    expect(outcome(await comeBack(service, "openid", query, begun.cookie))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(new Set(reasons())).toEqual(new Set(["the address announces another identity"]));
  });

  test.each(["ann", "https://", "=ann*xri"])(
    "is refused if the identity is not an address: %s",
    async (localId) => {
      const server = new OpenId2Server(provider, { ...ann, localId });
      const { location, cookie } = await start(identity);
      const change = { claimedId: identity, email: "" };
      for (const signedAs of [{}, { identity }]) {
        const query = server.comeBack(location, { ...change, signedAs });
        expect(outcome(await comeBack(service, "openid", query, cookie))).toBe("401 SOCIAL_AUTH_FAILED");
      }
      expect(new Set(reasons())).toEqual(new Set(["the address announces another identity"]));
    },
  );

  test("is refused if the address names another server", async () => {
    const server = new OpenId2Server(provider, { ...ann, url: "https://id.example.net/mallory" });
    const other = new OpenId2Server(provider, { ...ann, endpoint: "https://login.example.net/other" });
    expect(other).toBeDefined();
    const { location, cookie } = await start("https://id.example.net/mallory");
    const query = server.comeBack(location, { claimedId: identity, email: "ann@example.com" });
    expect(outcome(await comeBack(service, "openid", query, cookie))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(reasons()).toEqual(["op_endpoint is not the server of the identity"]);
    const foreign = server.comeBack(location, {
      claimedId: "https://evil.example.com/",
      email: "ann@example.com",
    });
    expect(outcome(await comeBack(service, "openid", foreign, cookie))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(provider.heard.map(({ url: called }) => called.host)).not.toContain("evil.example.com");
  });
});
