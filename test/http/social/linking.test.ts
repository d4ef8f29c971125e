import { beforeEach, describe, expect, test } from "vitest";
import { encryptionKeys, SealedTexts } from "#runtime/modules/auth/crypto/hash";
import { account, accounts, apiKey, countRows, password, session } from "../../support/accounts.ts";
import { outcome } from "../../support/scenarios.ts";
import { begin, comeBack, playGithub, socialService, socialSettings } from "../../support/social/sign-in.ts";
import { inTurn } from "../../support/turns.ts";
import { stage } from "../fixture/stage.ts";

const social = socialSettings({
  github: {},
  "microsoft-graph": {},
  tiktok: {},
  instagram: {},
  gitlab: {},
  discord: {},
});
const { service, provider: providers } = await socialService(social);

const email = "ann@example.com";

async function signIn(provider = "github", code = "good") {
  const { state, cookie } = await begin(service, provider);
  return comeBack(service, provider, { code, state }, cookie);
}
const userId = async () => {
  const reply = await signIn();
  const { user } = Object(reply.envelope.data);
  return Number(user?.user_id);
};
const user = async (id: number) => {
  const [row] = await service.query(
    "select email, role, first_name, last_name, is_verified, is_active, password is null as no_password from users where id = $1",
    [id],
  );
  return row;
};
const links = () => service.query("select user_id::int, provider, uid from auth_social order by id");

beforeEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
  playGithub(providers, { id: 7 });
});

describe("an account that is new here", () => {
  test("is verified where the provider has verified the e-mail", async () => {
    const id = await userId();
    expect(await user(id)).toEqual({
      email,
      role: "user",
      first_name: "Ann",
      last_name: "Lee",
      is_verified: true,
      is_active: true,
      no_password: true,
    });
    expect(await links()).toEqual([{ user_id: id, provider: "github", uid: "7" }]);
  });

  test("is not verified where the provider has not, and signs in all the same", async () => {
    playGithub(providers, { id: 7, verified: false });
    const id = await userId();
    expect(await user(id)).toMatchObject({ email, is_verified: false });
    expect(await userId()).toBe(id);
  });

  test("has no e-mail if the provider sends none, or an invalid one", async () => {
    playGithub(providers, { id: 7, email: null });
    expect(await user(await userId())).toMatchObject({ email: null, is_verified: false });
    playGithub(providers, { id: 8, email: "no e-mail, boss@example.com" });
    expect(await user(await userId())).toMatchObject({ email: null, is_verified: false });
  });

  test("has the e-mail in its one form", async () => {
    playGithub(providers, { id: 7, email: "Ann@Example.COM" });
    expect(await user(await userId())).toMatchObject({ email });
  });

  test("has no more of a name than fits", async () => {
    playGithub(providers, { id: 7, name: `${"é".repeat(300)} \u0000Lee\nHooker` });
    expect(await user(await userId())).toMatchObject({
      first_name: "é".repeat(255),
      last_name: "Lee Hooker",
    });
  });
});

describe("an account that is known by its uid", () => {
  test("keeps its names, e-mail and flags", async () => {
    const id = await userId();
    await service.query("update users set role = 'editor' where id = $1", [id]);
    playGithub(providers, { id: 7, name: "Bo Diddley", email: "bo@example.com", verified: false });
    expect(await userId()).toBe(id);
    expect(await user(id)).toMatchObject({ email, role: "editor", first_name: "Ann", is_verified: true });
  });

  test("keeps what the provider said, sealed, and renews it", async () => {
    await userId();
    const sealed = async () =>
      String((await service.query("select extra_data from auth_social"))[0]?.["extra_data"]);
    const first = await sealed();
    expect(first).toMatch(/^v1\.[\w-]+$/);
    expect(Buffer.from(first, "base64url").toString()).not.toContain("gho_access");
    await userId();
    expect(await sealed()).not.toBe(first);
  });

  test("is refused while it is inactive", async () => {
    await userId();
    await service.query("update users set is_active = false");
    expect(outcome(await signIn())).toBe("403 ACCOUNT_INACTIVE");
  });

  test("signs in although e-mails must be verified, and leaves nothing where its user is gone", async () => {
    const id = await userId();
    await service.query("delete from users");
    expect(await userId()).not.toBe(id);
  });

  test("is another one at another provider", async () => {
    const id = await userId();
    providers.play("POST https://login.microsoftonline.com/common/oauth2/v2.0/token", () => ({
      json: { access_token: "T" },
    }));
    providers.play("GET https://graph.microsoft.com/v1.0/me", () => ({
      json: { id: "7", displayName: "Ann" },
    }));
    const reply = await signIn("microsoft-graph");
    expect(Object(reply.envelope.data).user.user_id).not.toBe(id);
  });
});

describe("an e-mail that is known here", () => {
  const mine = session(1);
  const key = apiKey(1);

  test("is linked where the provider has verified it; the account keeps role, password and sessions", async () => {
    await service.store(accounts([account(1, { email, role: "admin" })], [mine.row, key.row]));
    expect(await userId()).toBe(1);
    expect(await user(1)).toMatchObject({ role: "admin", first_name: null, no_password: false });
    expect(
      await countRows(service, "auth_tokens", `token_hash in ('${mine.row["token_hash"]}', '${key.hash}')`),
    ).toBe(2);
    expect(stage.fired.map(({ hook }) => hook)).toEqual(["after_social_callback"]);
  });

  test("of an account that never verified it: drops password, sessions, keys, second factor and other links first", async () => {
    const phone_number = "+12025550123";
    const given = accounts([account(1, { email, is_verified: false, phone_number })], [mine.row, key.row]);
    await service.store({
      ...given,
      auth_mfa: [{ user_id: 1, secret: "s", enabled: true, backup_codes: [] }],
      auth_social: [{ user_id: 1, provider: "discord", uid: "1" }],
    });
    expect(await userId()).toBe(1);
    expect(await user(1)).toMatchObject({ is_verified: true, no_password: true });
    expect(await countRows(service, "auth_tokens", "token_type <> 'refresh'")).toBe(0);
    expect(await countRows(service, "auth_tokens", `token_hash = '${mine.row["token_hash"]}'`)).toBe(0);
    expect(await countRows(service, "auth_mfa")).toBe(0);
    expect(await countRows(service, "users", "phone_number is null")).toBe(1);
    expect(await links()).toEqual([{ user_id: 1, provider: "github", uid: "7" }]);
  });

  test.each([
    ["did not verify it", "github"],
    ["says nothing of it", "microsoft-graph"],
  ])("is a conflict where the provider %s", async (_, provider) => {
    await service.store(accounts([account(1, { email })]));
    playGithub(providers, { id: 7, verified: false });
    providers.play("POST https://login.microsoftonline.com/common/oauth2/v2.0/token", () => ({
      json: { access_token: "T" },
    }));
    providers.play("GET https://graph.microsoft.com/v1.0/me", () => ({
      json: { id: "7", mail: email, email_verified: true },
    }));
    expect(outcome(await signIn(provider))).toBe("409 SOCIAL_EMAIL_NOT_VERIFIED");
    expect(await links()).toEqual([]);
  });

  test("is not linked to an inactive account, whose credentials stay", async () => {
    await service.store(accounts([account(1, { email, is_active: false, is_verified: false })], [key.row]));
    expect(outcome(await signIn())).toBe("403 ACCOUNT_INACTIVE");
    expect(await countRows(service, "auth_tokens")).toBe(1);
    expect(await links()).toEqual([]);
  });
});

describe("what is kept of a sign-in", () => {
  test("has what the provider said, and no code, state or token of a device", async () => {
    const { state, cookie } = await begin(service, "github", "?device_token=D-123");
    await comeBack(service, "github", { code: "good", state, more: "unknown" }, cookie);
    const [row] = await service.query("select extra_data from auth_social");
    const sealed = new SealedTexts(encryptionKeys(service.config.secrets, "social"));
    const kept = JSON.parse(sealed.open(String(row?.["extra_data"]), "github 7"));
    expect(kept).toEqual({
      token: { access_token: "gho_access", token_type: "bearer", scope: "user:email" },
      profile: { id: "7", login: "ann", name: "Ann Lee", email: null },
      emails: expect.any(Array),
    });
  });
});

describe("gitlab", () => {
  test.each([
    ["2024-01-01T00:00:00Z", true],
    [null, false],
    ["never", false],
  ])("confirmed_at %s", async (confirmed_at, is_verified) => {
    providers.play("POST https://gitlab.com/oauth/token", () => ({ json: { access_token: "T" } }));
    providers.play("GET https://gitlab.com/api/v4/user", () => ({ json: { id: 9, email, confirmed_at } }));
    const reply = await signIn("gitlab");
    expect(await user(Object(reply.envelope.data).user.user_id)).toMatchObject({ email, is_verified });
  });
});

describe("providers without e-mails", () => {
  test("get one that is made up, and never link by it", async () => {
    providers.play("POST https://open.tiktokapis.com/v2/oauth/token/", () => ({
      json: { access_token: "T" },
    }));
    providers.play("GET https://open.tiktokapis.com/v2/user/info/", () => ({
      json: { data: { user: { open_id: "Abc-1", display_name: "Ann" } }, error: { code: "ok" } },
    }));
    const reply = await signIn("tiktok");
    expect(reply.envelope.data).toMatchObject({ user: { email: "tiktok_abc-1@social.invalid" } });
    expect(await user(Object(reply.envelope.data).user.user_id)).toMatchObject({ is_verified: false });
    // No other provider can give an account such an address either.
    playGithub(providers, { id: 8, email: "tiktok_42@Social.Invalid" });
    expect(await user(await userId())).toMatchObject({ email: null, is_verified: false });
    await service.store(accounts([account(1, { email: "tiktok_abc-1@social.invalid" })]));
    expect(outcome(await signIn("tiktok"))).toBe("409 SOCIAL_EMAIL_NOT_VERIFIED");
  });
});

const idOf = (reply: Awaited<ReturnType<typeof signIn>>) => Number(Object(reply.envelope.data).user?.user_id);

test("any number of first sign-ins at once make one account", async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => signIn()));
  expect(new Set(replies.map(outcome))).toEqual(new Set(["200"]));
  expect(new Set(replies.map(idOf)).size).toBe(1);
  expect(await service.query("select count(*)::int as n from users")).toEqual([{ n: 1 }]);
});

test("first sign-ins at once with one e-mail at two providers make one account with two links", async () => {
  providers.play("POST https://discord.com/api/oauth2/token", () => ({ json: { access_token: "T" } }));
  providers.play("GET https://discord.com/api/users/@me", () => ({
    json: { id: "1", email, verified: true },
  }));
  const replies = await Promise.all(
    ["github", "discord", "github", "discord"].map((provider) => signIn(provider)),
  );
  expect(new Set(replies.map(idOf)).size).toBe(1);
  expect(await service.query("select provider from auth_social order by provider")).toEqual([
    { provider: "discord" },
    { provider: "github" },
  ]);
});

test("a registration of the same e-mail at once ends in one account, which its owner has", async () => {
  const register = () => service.send({ method: "POST", path: "/auth/register", body: { email, password } });
  const [social, registered] = await Promise.all([signIn(), register()]);
  expect(outcome(social)).toBe("200");
  expect(["200", "409 EMAIL_ALREADY_EXISTS email"]).toContain(outcome(registered));
  // The user who registered it has not verified it.
  expect(await service.query("select email, password, is_verified from users")).toEqual([
    { email, password: null, is_verified: true },
  ]);
});

test("a link that is removed while a sign-in waits for its account is refused", async () => {
  await signIn();
  // As the owner of the e-mail does it who comes now.
  const clear =
    "with held as (select 1 from users for no key update) delete from auth_social where exists (table held)";
  const [reply] = await inTurn(service, clear, () => signIn());
  expect(reply === undefined ? null : outcome(reply)).toBe("401 SOCIAL_AUTH_FAILED");
  expect(await service.query("select id from auth_social")).toEqual([]);
});

test("no connection of the database is held while a provider thinks", async () => {
  const waiting: (() => void)[] = [];
  const all = service.config.databasePoolSize + 15;
  let arrived = () => {};
  const everybody = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  providers.play("GET https://api.github.com/user", async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === all) arrived();
    });
    return { json: { id: 7, name: "Ann" } };
  });
  const slow = Array.from({ length: all }, () => signIn());
  await everybody;
  // The pool has all its connections for others, who would else wait for one. More from one address find half of the pool taken.
  const login = { method: "POST", path: "/auth/login", body: { email, password } };
  const others = await Promise.all(Array.from({ length: 8 }, () => service.send(login)));
  expect(new Set(others.map(outcome))).toEqual(new Set(["401 INVALID_CREDENTIALS"]));
  for (const answer of waiting) answer();
  expect(new Set((await Promise.all(slow)).map(outcome))).toEqual(new Set(["200"]));
});
