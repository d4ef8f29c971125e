import { beforeEach, describe, expect, test } from "vitest";
import { connectCache } from "#runtime/core/cache/index";
import {
  account,
  accounts,
  apiKey,
  countRows,
  password,
  session,
  storedReset,
} from "../../support/accounts.ts";
import { afterFile } from "../../support/after-file.ts";
import { eventually } from "../../support/eventually.ts";
import { mailing, resetToken, verificationToken } from "../../support/links.ts";
import { hasRedis, testRedis } from "../../support/redis.ts";
import type { Reply } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, signed } from "../../support/service-token.ts";
import { silent } from "../../support/silent-log.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { player } from "../../support/social/player.ts";
import { begin, comeBack, playGithub, socialSettings } from "../../support/social/sign-in.ts";
import { inTurn } from "../../support/turns.ts";

const sms = await testSms();
const smtp = await testSmtp();
const github = await player();
const redis = hasRedis ? await testRedis() : null;
const settings = {
  ...mailing(smtp),
  sms: sms.settings,
  social: socialSettings({ github: {} }),
  auth: { emailVerificationRequired: false, securityNotices: false },
};
const stores: [string, Awaited<ReturnType<typeof connectCache>> | null][] = [["PostgreSQL", null]];
if (redis !== null) stores.push(["Redis", await connectCache(redis.url, silent)]);
afterFile(async () => {
  for (const [, cache] of stores) await cache?.close();
});

const email = "ann@example.com";
const phone = "+12025550123";
const passkey = {
  ...{ user_id: 1, credential_id: "x", public_key: "x", counter: 0, user_handle: "x", transports: "{}" },
  ...{
    device_type: "singleDevice",
    backed_up: false,
    aaguid: "00000000-0000-0000-0000-000000000000",
    name: "Key",
  },
};
const revoked = "401 TOKEN_REVOKED";

describe.each(stores)(
  "a stranger who registered the address before its owner came, with %s",
  async (_, cache) => {
    const service = await testService(settings, { resolveProvider: github.resolve, cache });
    const post = (path: string, body: Record<string, string>) =>
      service.send({ method: "POST", path: `/auth/${path}`, body });
    const refreshToken = session(1);
    const key = apiKey(1);
    const link = resetToken(1);

    /** What ends in a sign-in of the owner, by what the owner has proved; begun, all but its last step. */
    const ways: Record<string, () => Promise<() => Promise<Reply>>> = {
      async provider() {
        const { state, cookie } = await begin(service, "github");
        return () => comeBack(service, "github", { code: "good", state }, cookie);
      },
      async code() {
        await post("request-otp", { phone_number: phone });
        return () => post("verify-otp", { phone_number: phone, otp: sms.codeOf(phone) });
      },
      async reset() {
        const passwords = { new_password: "Another-Horse-2!", confirm_password: "Another-Horse-2!" };
        return () => post("reset-password", { token: link, ...passwords });
      },
    };
    const names = Object.keys(ways);

    const tokenOf = (reply: Reply | undefined) => String(Object(reply?.envelope.data).accessToken);
    const login = (secret: string) => post("login", { email, password: secret });
    const refresh = () => post("refresh-token", { refreshToken: refreshToken.token });
    const use = async (token: string, line = "GET /auth/me") => {
      const [method = "", path = ""] = line.split(" ");
      const body = method === "POST" ? { body: {} } : {};
      return outcome(
        await service.send({ method, path, headers: { authorization: `Bearer ${token}` }, ...body }),
      );
    };
    /** Reads, writes, account routes, administration. */
    const lines = ["GET /auth/me", "GET /things/fetch", "POST /notes/create", "POST /auth/api-keys/create"];
    const told = async (token: string) => {
      const all: string[] = [];
      for (const line of lines) all.push(await use(token, line));
      return all;
    };

    beforeEach(async () => {
      playGithub(github, { id: 7 });
      const stranger = account(1, { email, is_verified: false, phone_number: phone });
      await service.store({
        ...accounts([stranger, account(2)], [refreshToken.row, key.row, storedReset(1, link)]),
        auth_mfa: [],
        auth_social: [{ user_id: 1, provider: "github", uid: "666" }],
        auth_pending_changes: [
          {
            user_id: 1,
            kind: "email",
            target: "eve@example.com",
            proof_hash: "x",
            former: email,
            expires_at: "2999-01-01",
          },
        ],
        auth_passkeys: [passkey],
      });
      // A Redis that is not filled yet asks for patience.
      await eventually(async () =>
        expect(outcome(await service.send({ method: "GET", path: "/things/fetch" }))).toBe("200"),
      );
    });

    test.each(names)(
      "by %s: what the stranger had is worth nothing, at once; what the owner gets is good",
      async (name) => {
        const finish = await ways[name]?.();
        const old = [tokenOf(await login(password)), tokenOf(await refresh())];
        for (const token of old) expect(await use(token)).toBe("200");
        // A cache holds its owner from now on.
        expect(await use(key.key, "GET /things/fetch")).toBe("200");
        const made = signed(claimsOf({ role: "user", sub: "1" }));
        const other = signed(claimsOf({ role: "user", sub: "2" }));

        const reply = await finish?.();
        expect(reply && outcome(reply)).toBe("200");
        for (const token of [...old, made]) expect(await told(token)).toEqual(lines.map(() => revoked));
        expect(await use(key.key, "GET /things/fetch")).toBe("401 INVALID_API_KEY");
        expect(outcome(await refresh())).toBe("401 INVALID_TOKEN");
        expect(outcome(await login(password))).toBe("401 INVALID_CREDENTIALS");
        expect(await countRows(service, "auth_social", "uid = '666'")).toBe(0);
        expect(await countRows(service, "auth_pending_changes")).toBe(0);
        expect(await countRows(service, "auth_passkeys")).toBe(0);
        // What this sign-in did not prove.
        expect(
          await countRows(
            service,
            "users",
            `id = 1 AND ${name === "code" ? "email" : "phone_number"} IS NOT NULL`,
          ),
        ).toBe(0);
        expect(await use(other)).toBe("200");

        const owner = tokenOf(name === "reset" ? await login("Another-Horse-2!") : reply);
        expect(await use(owner)).toBe("200");
        expect(await use(owner, "POST /auth/api-keys/create")).toBe("200");
        if (redis !== null && cache !== null) {
          await redis.run("FLUSHALL");
          await eventually(async () => expect(await use(owner)).toBe("200"));
          // A store that is still being filled asks for patience; it must never say yes.
          const answered = async (token: string) => {
            const told = await use(token);
            expect(told).not.toBe("503 AUTH_UNAVAILABLE");
            return told;
          };
          for (const token of [...old, made]) expect(await eventually(() => answered(token))).toBe(revoked);
        }
        await service.query("DELETE FROM users WHERE id = 1");
        expect(await use(owner)).toBe(revoked);
        expect(await use(other)).toBe("200");
      },
    );

    const locked = "SELECT FROM users WHERE id = 1 FOR UPDATE";
    const makeKey = async () => {
      const authorization = `Bearer ${tokenOf(await login(password))}`;
      return () =>
        service.send({ method: "POST", path: "/auth/api-keys/create", headers: { authorization }, body: {} });
    };
    const strangers: Record<string, () => Promise<() => Promise<Reply>>> = {
      refresh: async () => refresh,
      login: async () => () => login(password),
      "new API key": makeKey,
    };

    const orders = ["before", "behind"];
    const races = names.flatMap((name) =>
      Object.keys(strangers).flatMap((attempt) => orders.map((order) => [attempt, order, name])),
    );

    test.each(races)(
      "a %s of the stranger right %s it ends too, by %s",
      async (attempt = "", order, name = "") => {
        const send = (await strangers[attempt]?.()) ?? refresh;
        const finish = (await ways[name]?.()) ?? refresh;
        const requests = order === "before" ? [send, finish] : [finish, send];
        const replies = await inTurn(service, locked, ...requests);
        const [got, adopted] = order === "before" ? replies : [...replies].reverse();
        expect(adopted && outcome(adopted)).toBe("200");
        const made = Object(got?.envelope.data).api_key;
        if (order !== "before") expect(got?.status).toBe(401);
        else if (made === undefined) expect(await use(tokenOf(got))).toBe(revoked);
        else expect(await use(made, "GET /things/fetch")).toBe("401 INVALID_API_KEY");
      },
    );
  },
);

const social = socialSettings({ github: {} });

const service = await testService(
  { ...mailing(smtp), sms: sms.settings, social },
  { resolveProvider: github.resolve },
);

const theAccount = "SELECT FROM users FOR UPDATE";

const post = (path: string, body: Record<string, string>) =>
  service.send({ method: "POST", path: `/auth/${path}`, body });

const byCode = () => post("verify-otp", { phone_number: phone, otp: sms.codeOf(phone) });

/** A sign-in at a provider that vouches for the e-mail; all but its last step is done. */
const fromGithub = async () => {
  const { state, cookie } = await begin(service, "github");
  return () => comeBack(service, "github", { code: "C", state }, cookie);
};

const of = (reply: Awaited<ReturnType<typeof byCode>> | undefined) =>
  (reply?.envelope.data as { user: { user_id: number; email: string | null } } | null)?.user;

describe("an unverified address", () => {
  beforeEach(async () => {
    await service.store(accounts([account(1, { email, is_verified: false, phone_number: phone })]));
    github.play("POST https://github.com/login/oauth/access_token", () => ({ json: { access_token: "AT" } }));
    github.play("GET https://api.github.com/user", () => ({ json: { id: 7, name: "Ann" } }));
    github.play("GET https://api.github.com/user/emails", () => ({
      json: [{ email, primary: true, verified: true }],
    }));
    await post("request-otp", { phone_number: phone });
  });

  describe("an unverified e-mail, while a one-time code takes the account over", () => {
    test("goes to an account of its own where its owner signs in next", async () => {
      const [code, elsewhere] = await inTurn(service, theAccount, byCode, await fromGithub());
      expect([code, elsewhere].map((reply) => reply && outcome(reply))).toEqual(["200", "200"]);
      expect(of(code)).toMatchObject({ user_id: 1, email: null });
      expect(of(elsewhere)?.email).toBe(email);
      expect(of(elsewhere)?.user_id).not.toBe(1);
      expect(await countRows(service, "auth_social", "user_id = 1")).toBe(0);
      expect(await countRows(service, "users", "email IS NOT NULL AND is_verified AND id <> 1")).toBe(1);
    });

    test("stays if its owner verifies first: the owner of the unverified phone gets a separate account", async () => {
      const [elsewhere, code] = await inTurn(service, theAccount, await fromGithub(), byCode);
      expect([elsewhere, code].map((reply) => reply && outcome(reply))).toEqual(["200", "200"]);
      expect([of(elsewhere), of(code)]).toMatchObject([{ user_id: 1, email }, { email: null }]);
      expect(of(code)?.user_id).not.toBe(1);
      expect(await countRows(service, "auth_social", "user_id = 1")).toBe(1);
      expect(await countRows(service, "users")).toBe(2);
    });

    test("cannot be verified any more by the link that was mailed there", async () => {
      const path = `/auth/verify-email?token=${verificationToken(1, email)}`;
      const open = () => service.send({ method: "GET", path });
      const [code, page] = await inTurn(service, theAccount, byCode, open);
      expect([code && outcome(code), page?.status]).toEqual(["200", 400]);
      expect(await countRows(service, "users", "email IS NULL")).toBe(1);
    });

    test("gets no link for a new password", async () => {
      await inTurn(service, theAccount, byCode, () => post("request-reset-password", { email }));
      await expect.poll(() => countRows(service, "auth_tokens", "token_type = 'refresh'")).toBe(1);
      expect(await countRows(service, "auth_tokens", "token_type <> 'refresh'")).toBe(0);
    });

    test("is free again: of many who register it then, one gets it", async () => {
      expect(outcome(await byCode())).toBe("200");
      const replies = await Promise.all(
        Array.from({ length: 5 }, () => post("register", { email, password })),
      );
      expect(replies.map(outcome).sort()).toEqual([
        "200",
        ...Array(4).fill("409 EMAIL_ALREADY_EXISTS email"),
      ]);
    });
  });
});
