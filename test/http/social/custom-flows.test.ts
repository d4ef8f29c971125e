import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { customFlowProviders } from "#vocabulary/social/custom-flow-providers";
import { outcome } from "../../support/scenarios.ts";
import {
  baseUrl,
  begin,
  beginOnPage,
  comeBack,
  postForm,
  socialService,
  socialSettings,
} from "../../support/social/sign-in.ts";

const server_url = "https://forum.example.org";
const noId = { client_id: undefined };
const { service, provider, users, reasons } = await socialService(
  socialSettings({
    discourse: { settings: { ...noId, server_url } },
    lastfm: {},
    loginradius: {},
    pocket: { secrets: {} },
    telegram: { settings: noId, secrets: { BOT_TOKEN: "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw" } },
    twilio: { secrets: {} },
    "vk-openapi": { settings: { ...noId, app_id: "77" } },
  }),
);

const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const emptyProfile = { email: null, is_verified: false, first_name: null, last_name: null };

test("every provider with its own flow is here, and google-onetap in packaged-flows.test.ts", () => {
  const here = [...service.config.social.providers.map(({ name }) => name), "google-onetap"];
  expect(Object.keys(customFlowProviders).sort()).toEqual(here.sort());
});

describe("Discourse", () => {
  const sign = (sso: string, secret = "secret-of-discourse") =>
    createHmac("sha256", secret).update(sso).digest("hex");
  /** What Discourse answers to where the browser was sent. */
  function answerTo(location: URL, change: Readonly<Record<string, string>> = {}, secret?: string) {
    const sent = location.searchParams.get("sso") ?? "";
    expect(location.origin + location.pathname).toBe(`${server_url}/session/sso_provider`);
    expect(location.searchParams.get("sig")).toBe(sign(sent));
    const asked = new URLSearchParams(Buffer.from(sent, "base64").toString());
    const back = new URL(asked.get("return_sso_url") ?? "");
    expect(back.href).toMatch(`${baseUrl}/auth/discourse/callback?state=`);
    const told = {
      nonce: asked.get("nonce") ?? "",
      external_id: "42",
      email: "ann@example.com",
      name: "Ann Lee",
      username: "ann",
      ...change,
    };
    const sso = Buffer.from(new URLSearchParams(told).toString()).toString("base64");
    return { state: back.searchParams.get("state") ?? "", sso, sig: sign(sso, secret) };
  }

  test("signs in", async () => {
    const { location, cookie } = await begin(service, "discourse");
    expect(outcome(await comeBack(service, "discourse", answerTo(location), cookie))).toBe("200");
    const known = { email: "ann@example.com", is_verified: false, first_name: "Ann", last_name: "Lee" };
    expect(await users()).toEqual([{ provider: "discourse", uid: "42", ...known }]);
  });

  test("is refused where the signature, the nonce or the person says no", async () => {
    const { location, cookie } = await begin(service, "discourse");
    const right = answerTo(location);
    const other = Buffer.from(Buffer.from(right.sso, "base64").toString().replace("42", "1")).toString(
      "base64",
    );
    for (const [query, reason] of [
      [{ ...right, sso: other }, "the signature is wrong"],
      [{ ...right, sig: right.sig.toUpperCase() }, "the signature is wrong"],
      [answerTo(location, {}, "another"), "the signature is wrong"],
      [answerTo(location, { nonce: "another" }), "another nonce"],
      [answerTo(location, { failed: "true" }), "the user refused"],
    ] as const) {
      service.log.length = 0;
      expect(outcome(await comeBack(service, "discourse", query, cookie))).toBe("401 SOCIAL_AUTH_FAILED");
      expect(reasons()).toEqual([reason]);
    }
    const { sig: _, ...unsigned } = right;
    expect(outcome(await comeBack(service, "discourse", unsigned, cookie))).toBe("400 VALIDATION_ERROR sig");
    const next = await begin(service, "discourse");
    const { state } = answerTo(next.location);
    expect(outcome(await comeBack(service, "discourse", { ...right, state }, next.cookie))).toBe(
      "401 SOCIAL_AUTH_FAILED",
    );
    expect(await users()).toEqual([]);
  });
});

describe("Telegram", () => {
  /** What the widget tells the page. */
  function told(
    change: Readonly<Record<string, string>> = {},
    token = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
  ) {
    const now = Math.floor(Date.now() / 1000);
    const fields = {
      id: "90071992547409931",
      first_name: "Ann & Co",
      last_name: "Lee",
      username: "ann",
      photo_url: "https://t.me/i/userpic/ann.jpg",
      auth_date: String(now),
      ...change,
    };
    const text = Object.keys(fields)
      .sort()
      .map((name) => `${name}=${Object.entries(fields).find(([key]) => key === name)?.[1]}`)
      .join("\n");
    const key = createHash("sha256").update(token).digest();
    return { ...fields, hash: createHmac("sha256", key).update(text).digest("hex") };
  }
  const ago = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);

  test("signs in, by GET and by POST", async () => {
    const { reply, state, cookie } = await beginOnPage(service, "telegram");
    expect(outcome(reply)).toBe("200");
    expect(reply.envelope.data).toEqual({ state });
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(outcome(await comeBack(service, "telegram", { ...told(), state }, cookie))).toBe("200");
    expect(
      outcome(await postForm(service, "telegram", { state, cookie }, told({ auth_date: ago(86_000) }))),
    ).toBe("200");
    expect(await users()).toEqual([
      {
        ...emptyProfile,
        provider: "telegram",
        uid: "90071992547409931",
        first_name: "Ann & Co",
        last_name: "Lee",
      },
    ]);
  });

  test("is refused where the hash or the moment is wrong", async () => {
    const begun = await beginOnPage(service, "telegram");
    for (const [form, reason] of [
      [{ ...told(), id: "1" }, "the hash is wrong"],
      [{ ...told(), more: "x" }, "the hash is wrong"],
      [told({}, "110201543:another"), "the hash is wrong"],
      [{ ...told(), hash: "0".repeat(64) }, "the hash is wrong"],
      [told({ first_name: "Ann\nid=1" }), "a field contains a line break"],
      [told({ "id=1\nlast_name": "Lee" }), "a field contains a line break"],
      [told({ auth_date: ago(86_401) }), "auth_date is more than a day ago, or in the future"],
      [told({ auth_date: ago(-60) }), "auth_date is more than a day ago, or in the future"],
      [told({ auth_date: "soon" }), "auth_date is more than a day ago, or in the future"],
    ] as const) {
      service.log.length = 0;
      expect(outcome(await postForm(service, "telegram", begun, form))).toBe("401 SOCIAL_AUTH_FAILED");
      expect(reasons()).toEqual([reason]);
    }
    const { hash: _, ...unsigned } = told();
    expect(outcome(await postForm(service, "telegram", begun, unsigned))).toBe("400 VALIDATION_ERROR hash");
    expect(outcome(await postForm(service, "telegram", begun, {}))).toBe("400 VALIDATION_ERROR id");
    expect(outcome(await postForm(service, "telegram", { ...begun, cookie: "" }, told()))).toBe(
      "400 VALIDATION_ERROR state",
    );
    expect(await users()).toEqual([]);
  });
});

describe("Last.fm", () => {
  const play = (token: string) =>
    provider.play("POST https://ws.audioscrobbler.com/2.0/", ({ form }) => {
      const [key, secret] = ["id-of-lastfm", "secret-of-lastfm"];
      const signature = md5(`api_key${key}methodauth.getSessiontoken${token}${secret}`);
      const expected = { method: "auth.getSession", api_key: key, token, api_sig: signature, format: "json" };
      expect(Object.fromEntries(form)).toEqual(expected);
      return { json: { session: { name: "ann", key: "SESSION", subscriber: 0 } } };
    });

  test("signs in", async () => {
    play("TOKEN+1");
    const { location, cookie } = await begin(service, "lastfm");
    expect(location.origin + location.pathname).toBe("https://www.last.fm/api/auth/");
    expect(location.searchParams.get("api_key")).toBe("id-of-lastfm");
    const back = new URL(location.searchParams.get("cb") ?? "");
    const query = { ...Object.fromEntries(back.searchParams), token: "TOKEN+1" };
    expect(back.origin + back.pathname).toBe(`${baseUrl}/auth/lastfm/callback`);
    expect(outcome(await comeBack(service, "lastfm", query, cookie))).toBe("200");
    expect(await users()).toEqual([{ ...emptyProfile, provider: "lastfm", uid: "ann" }]);
    const { token: _, ...without } = query;
    expect(outcome(await comeBack(service, "lastfm", without, cookie))).toBe("400 VALIDATION_ERROR token");
  });

  test("is refused where Last.fm does not know the token", async () => {
    provider.play("POST https://ws.audioscrobbler.com/2.0/", () => ({
      json: { error: 14, message: "Unauthorized Token" },
    }));
    const { location, cookie } = await begin(service, "lastfm");
    const state = new URL(location.searchParams.get("cb") ?? "").searchParams.get("state") ?? "";
    expect(outcome(await comeBack(service, "lastfm", { state, token: "x" }, cookie))).toBe(
      "401 SOCIAL_AUTH_FAILED",
    );
  });
});

describe("Pocket", () => {
  const address = (path: string) => `POST https://getpocket.com${path}`;
  function play() {
    provider.play(address("/v3/oauth/request"), ({ form, headers }) => {
      expect(headers["x-accept"]).toBe("application/json");
      expect(form.get("consumer_key")).toBe("id-of-pocket");
      return { json: { code: `code for ${form.get("redirect_uri")}` } };
    });
    provider.play(address("/v3/oauth/authorize"), ({ form }) => {
      expect(form.get("consumer_key")).toBe("id-of-pocket");
      return form.get("code")?.startsWith("code for")
        ? { json: { access_token: "AT", username: "ann" } }
        : { status: 403 };
    });
  }

  test("signs in, with the code that travels with the browser", async () => {
    play();
    for (const query of ["", "?platform=ios"]) {
      const { location, cookie } = await begin(service, "pocket", query);
      expect(location.origin + location.pathname).toBe("https://getpocket.com/auth/authorize");
      const back = new URL(location.searchParams.get("redirect_uri") ?? "");
      expect(location.searchParams.get("request_token")).toBe(`code for ${back.href}`);
      const state = back.searchParams.get("state") ?? "";
      expect(outcome(await comeBack(service, "pocket", { state }, null))).toBe("400 VALIDATION_ERROR state");
      expect(outcome(await comeBack(service, "pocket", { state }, cookie))).toBe("200");
    }
    expect(await users()).toEqual([{ ...emptyProfile, provider: "pocket", uid: "ann" }]);
  });

  test("is refused where Pocket gives no code, or no account", async () => {
    play();
    const { location, cookie } = await begin(service, "pocket");
    const state = new URL(location.searchParams.get("redirect_uri") ?? "").searchParams.get("state") ?? "";
    provider.play(address("/v3/oauth/authorize"), () => ({ status: 403, text: "" }));
    expect(outcome(await comeBack(service, "pocket", { state }, cookie))).toBe("401 SOCIAL_AUTH_FAILED");
    provider.play(address("/v3/oauth/request"), () => ({ json: {} }));
    expect(outcome((await begin(service, "pocket")).reply)).toBe("401 SOCIAL_AUTH_FAILED");
  });
});

describe("LoginRadius", () => {
  test("signs in with the token of its widget", async () => {
    provider.play("POST https://api.loginradius.com/api/v2/access_token", ({ url }) => {
      expect(Object.fromEntries(url.searchParams)).toEqual({
        token: "WIDGET",
        secret: "secret-of-loginradius",
      });
      return { json: { access_token: "AT", expires_in: 900 } };
    });
    provider.play("GET https://api.loginradius.com/api/v2/userprofile", ({ url, headers }) => {
      expect(Object.fromEntries(url.searchParams)).toEqual({ access_token: "AT" });
      expect(headers.authorization).toBeUndefined();
      const Email = [{ Type: "Primary", Value: "ann@example.com" }];
      return {
        json: { ID: "7", Provider: "github", FirstName: "Ann", LastName: "Lee", FullName: "X Y", Email },
      };
    });
    const begun = await beginOnPage(service, "loginradius");
    expect(outcome(await postForm(service, "loginradius", begun, { token: "WIDGET" }))).toBe("200");
    const known = { email: "ann@example.com", is_verified: false, first_name: "Ann", last_name: "Lee" };
    expect(await users()).toEqual([{ provider: "loginradius", uid: "github-7", ...known }]);
    expect(outcome(await postForm(service, "loginradius", begun, {}))).toBe("400 VALIDATION_ERROR token");
  });

  test("is refused if the token is not one", async () => {
    provider.play("POST https://api.loginradius.com/api/v2/access_token", () => ({
      status: 400,
      json: { errorCode: 905 },
    }));
    const begun = await beginOnPage(service, "loginradius");
    expect(outcome(await postForm(service, "loginradius", begun, { token: "x" }))).toBe(
      "401 SOCIAL_AUTH_FAILED",
    );
    expect(JSON.stringify(service.log)).not.toContain("secret-of-loginradius");
  });
});

describe("VK Open API", () => {
  const soon = Math.floor(Date.now() / 1000) + 3600;
  function vkCookie(change: Readonly<Record<string, string | number>> = {}, secret = "secret-of-vk-openapi") {
    const { expire, mid, sid } = { expire: soon, mid: "7", sid: "SID", ...change };
    const sig = md5(`expire=${expire}mid=${mid}secret=SSsid=${sid}${secret}`);
    return `vk_app_77=expire=${expire}&mid=${mid}&secret=SS&sid=${sid}&sig=${sig}`;
  }
  const form = { id: "7", first_name: "Ann", last_name: "Lee" };

  test("signs in with the cookie of its script", async () => {
    const begun = await beginOnPage(service, "vk-openapi");
    const cookie = `${begun.cookie}; ${vkCookie()}`;
    expect(outcome(await postForm(service, "vk-openapi", { ...begun, cookie }, form))).toBe("200");
    expect(await users()).toEqual([
      { ...emptyProfile, provider: "vk-openapi", uid: "7", first_name: "Ann", last_name: "Lee" },
    ]);
  });

  // biome-ignore format: one case a line
  test.each([
    ["the cookie of the provider is missing, or its signature is wrong", "other=1"],
    ["the cookie of the provider is missing, or its signature is wrong", vkCookie({}, "another")],
    ["the cookie of the provider is missing, or its signature is wrong", vkCookie().replace("mid=7", "mid=8")],
    ["the session at the provider has ended", vkCookie({ expire: soon - 7200 })],
    ["the session at the provider has ended", vkCookie({ expire: "never" })],
    ["the session belongs to another user", vkCookie({ mid: "8" })],
  ])("is refused: %s", async (reason, vk) => {
    const begun = await beginOnPage(service, "vk-openapi");
    const cookie = `${begun.cookie}; ${vk}`;
    expect(outcome(await postForm(service, "vk-openapi", { ...begun, cookie }, form))).toBe(
      "401 SOCIAL_AUTH_FAILED",
    );
    expect(reasons()).toEqual([reason]);
    expect(outcome(await postForm(service, "vk-openapi", { ...begun, cookie }, {}))).toBe(
      "400 VALIDATION_ERROR id",
    );
  });
});

describe("Twilio Connect", () => {
  test("takes the number of an account, and nothing else", async () => {
    const { location, cookie } = await begin(service, "twilio");
    expect(location.origin + location.pathname).toBe("https://www.twilio.com/authorize/id-of-twilio");
    const back = new URL(location.searchParams.get("cb") ?? "");
    const state = back.searchParams.get("state") ?? "";
    expect(back.origin + back.pathname).toBe(`${baseUrl}/auth/twilio/callback`);
    const AccountSid = `AC${"0123456789abcdef".repeat(2)}`;
    const send = (query: Record<string, string>) => comeBack(service, "twilio", { state, ...query }, cookie);
    expect(outcome(await send({}))).toBe("400 VALIDATION_ERROR AccountSid");
    expect(outcome(await send({ AccountSid: "7" }))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(outcome(await send({ AccountSid, error: "unauthorized_client" }))).toBe("401 SOCIAL_AUTH_FAILED");
    expect(outcome(await send({ AccountSid }))).toBe("200");
    expect(await users()).toEqual([{ ...emptyProfile, provider: "twilio", uid: AccountSid }]);
  });
});
