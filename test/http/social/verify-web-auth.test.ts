import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { testClock } from "../../support/clock.ts";
import { type Reply, requestOf } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { signed } from "../../support/service-token.ts";
import { begin, comeBack, playGithub, socialService, socialSettings } from "../../support/social/sign-in.ts";
import { stage } from "../fixture/stage.ts";

const page = "https://www.example.com/signed-in";
const clock = testClock();
const social = socialSettings({ github: {} }, { redirectUrls: [page] });
const { service, provider } = await socialService(
  social,
  { auth: { cookieName: "session" } },
  { now: clock.now },
);

beforeEach(() => {
  stage.fired = [];
  playGithub(provider, { id: 7 });
});

/** The token that a sign-in has put into the address of the page. */
async function webAuthToken(more = ""): Promise<string> {
  const query = `?redirect_to=${encodeURIComponent(page)}${more}`;
  const { state, cookie } = await begin(service, "github", query);
  const back = await comeBack(service, "github", { code: "good", state }, cookie);
  return new URL(String(back.headers.location)).searchParams.get("token") ?? "";
}

const redeem = (body: Json): Promise<Reply> =>
  service.send({ method: "POST", path: "/auth/verify-web-auth", body });

function expectInvalid(reply: Reply): void {
  expect([reply.status, reply.envelope.error]).toEqual([401, "INVALID_TOKEN"]);
}

describe("POST /auth/verify-web-auth", () => {
  test("gives a session to who brings the token, without a cookie", async () => {
    const token = await webAuthToken();
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    const reply = await redeem({ token });
    expect(reply.status).toBe(200);
    expect(reply.headers["set-cookie"]).toBeUndefined();
    expect(reply.headers["cache-control"]).toBe("no-store");
    // biome-ignore format: related values together
    expect(reply.envelope.data).toEqual({
      // What a login answers, field by field.
      user: { user_id: expect.any(Number), email: "ann@example.com", first_name: "Ann", last_name: "Lee", phone_number: null, role: "user",
        is_verified: true, created_at: expect.any(String), last_login_at: expect.any(String) },
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 3600,
    });
    const data = JSON.parse(reply.text).data;
    const me = await service.send({
      ...requestOf("GET /auth/me"),
      headers: { authorization: `Bearer ${data.accessToken}` },
    });
    expect(me.status).toBe(200);
  });

  test("runs after_login; the callback before it runs after_social_callback only", async () => {
    const signedIn = () => stage.fired.map(({ hook }) => hook).filter((hook) => !hook.endsWith("_register"));
    const token = await webAuthToken();
    expect(signedIn()).toEqual(["after_social_callback"]);
    await redeem({ token });
    expect(signedIn()).toEqual(["after_social_callback", "after_login"]);
  });

  test.each<[string, Json]>([
    ["none", {}],
    ["an empty one", { token: "" }],
    ["null", { token: null }],
    ["a number", { token: 1 }],
    ["more than 4096 characters", { token: "x".repeat(4097) }],
    ["no body", []],
  ])("is 400 for %s", async (_name, body) => {
    const reply = await redeem(body);
    expect([reply.status, reply.envelope.error]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("takes a token once", async () => {
    const token = await webAuthToken();
    expect((await redeem({ token })).status).toBe(200);
    expectInvalid(await redeem({ token }));
  });

  describe("of a sign-in that has a code_challenge", () => {
    const code_verifier = "a verifier of the page that began the sign-in";
    const challenge = createHash("sha256").update(code_verifier).digest("base64url");
    const bound = () => webAuthToken(`&code_challenge=${challenge}`);

    test("needs its verifier; neither a missing nor a wrong one uses the token up", async () => {
      const token = await bound();
      const missing = await redeem({ token });
      expect(outcome(missing)).toBe("400 VALIDATION_ERROR code_verifier");
      for (const wrong of ["x", challenge, `${code_verifier} `, "y".repeat(128)])
        expectInvalid(await redeem({ token, code_verifier: wrong }));
      expect(outcome(await redeem({ token, code_verifier: "" }))).toBe("400 VALIDATION_ERROR code_verifier");
      expect((await redeem({ token, code_verifier })).status).toBe(200);
      expectInvalid(await redeem({ token, code_verifier }));
    });

    test("refuses the token of another sign-in, whether that has a challenge or not", async () => {
      const other = createHash("sha256").update("another").digest("base64url");
      for (const begun of ["", `&code_challenge=${other}`]) {
        const token = await webAuthToken(begun);
        expectInvalid(await redeem({ token, code_verifier }));
        const own = begun === "" ? {} : { code_verifier: "another" };
        expect((await redeem({ token, ...own })).status).toBe(200);
      }
    });

    // biome-ignore format: many on a line
    test.each([
      "", "x", challenge.slice(1), `${challenge}A`, `${challenge.slice(1)}=`, `${challenge.slice(1)}.`,
    ])("refuses the challenge %j", async (text) => {
      const path = `/auth/github/login?code_challenge=${encodeURIComponent(text)}`;
      const reply = await service.send({ method: "GET", path });
      expect(outcome(reply)).toBe("400 VALIDATION_ERROR code_challenge");
    });
  });

  test("takes a token once of many who bring it at once", async () => {
    const token = await webAuthToken();
    const replies = await Promise.all(Array.from({ length: 6 }, () => redeem({ token })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectInvalid(reply);
  });

  test("takes a token for 5 minutes", async () => {
    const token = await webAuthToken();
    const other = await webAuthToken();
    clock.pass(299);
    expect((await redeem({ token })).status).toBe(200);
    clock.pass(2);
    expectInvalid(await redeem({ token: other }));
  });

  test.each<[string, (token: string) => string]>([
    ["that is not a JWT", () => "hello"],
    ["with another signature", (token) => `${token.slice(0, -6)}AAAAAA`],
    ["signed with another secret", () => signed(claims(), {}, "another secret of at least 32 bytes")],
    ["that was never issued", () => signed(claims())],
    ["of another kind", () => signed({ ...claims(), type: "access" })],
    ["without a kind", () => signed({ ...claims(), type: undefined })],
  ])("refuses a token %s", async (_name, change) => {
    expectInvalid(await redeem({ token: change(await webAuthToken()) }));
  });

  test("refuses the tokens of a session, which refuses it in turn", async () => {
    const token = await webAuthToken();
    const { data } = JSON.parse((await redeem({ token: await webAuthToken() })).text);
    expectInvalid(await redeem({ token: data.accessToken }));
    expectInvalid(await redeem({ token: data.refreshToken }));
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.send({ method: "GET", path: "/auth/me", headers })).status).toBe(401);
    const refresh = await service.send(requestOf("POST /auth/refresh-token", { refreshToken: token }));
    expect(refresh.status).toBe(401);
  });

  test("is 403 for who was made inactive meanwhile, and 401 for who is gone", async () => {
    const token = await webAuthToken();
    await service.query("update users set is_active = false");
    const reply = await redeem({ token });
    expect([reply.status, reply.envelope.error]).toEqual([403, "ACCOUNT_INACTIVE"]);
    await service.query("delete from auth_social");
    await service.query("delete from auth_tokens");
    await service.query("delete from users");
    expectInvalid(await redeem({ token }));
  });

  test("is stored only as a hash, and is not in the log", async () => {
    service.log.length = 0;
    const token = await webAuthToken();
    const rows = await service.query("select token_hash from auth_tokens where token_type = 'web_auth'");
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows).toHaveLength(1);
    await redeem({ token });
    expect(JSON.stringify(service.log)).not.toContain(token.split(".")[2]);
  });
});

function claims() {
  const iat = Math.floor(clock.now() / 1000);
  return { sub: "1000", jti: "11111111-2222-4333-8444-555555555555", type: "web_auth", iat, exp: iat + 300 };
}
