import { beforeEach, expect, test } from "vitest";
import { password } from "../../support/accounts.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { playGithub } from "../../support/social/github.ts";
import { player } from "../../support/social/player.ts";
import { baseUrl, begin, comeBack, socialSettings } from "../../support/social/sign-in.ts";
import { inTurn } from "../../support/turns.ts";
import { stage } from "../fixture/stage.ts";

const providers = await player();
const social = socialSettings({ github: {}, discord: {} });
const service = await testService({ baseUrl, social }, { resolveProvider: providers.resolve });

const email = "ann@example.com";

async function signIn(provider = "github") {
  const { state, cookie } = await begin(service, provider);
  return comeBack(service, provider, { code: "good", state }, cookie);
}
const idOf = (reply: Awaited<ReturnType<typeof signIn>>) => Number(Object(reply.envelope.data).user?.user_id);

beforeEach(async () => {
  Object.assign(stage, { hooks: {}, fired: [] });
  playGithub(providers, { id: 7 });
  providers.play("POST https://discord.com/api/oauth2/token", () => ({ json: { access_token: "T" } }));
  providers.play("GET https://discord.com/api/users/@me", () => ({
    json: { id: "1", email, verified: true },
  }));
  await service.store({});
});

test("any number of first sign-ins at once make one account", async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => signIn()));
  expect(new Set(replies.map(outcome))).toEqual(new Set(["200"]));
  expect(new Set(replies.map(idOf)).size).toBe(1);
  expect(await service.query("select count(*)::int as n from users")).toEqual([{ n: 1 }]);
});

test("first sign-ins at once with one e-mail at two providers make one account with two links", async () => {
  const replies = await Promise.all(["github", "discord", "github", "discord"].map(signIn));
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
  // Whoever registered it has proved nothing.
  expect(await service.query("select email, password, is_verified from users")).toEqual([
    { email, password: null, is_verified: true },
  ]);
});

test("a link that goes while somebody waits for its account opens nothing", async () => {
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
  // The pool has all its connections for others, who would else wait for one.
  const login = { method: "POST", path: "/auth/login", body: { email, password } };
  const others = await Promise.all(Array.from({ length: 20 }, () => service.send(login)));
  expect(new Set(others.map(outcome))).toEqual(new Set(["401 INVALID_CREDENTIALS"]));
  for (const answer of waiting) answer();
  expect(new Set((await Promise.all(slow)).map(outcome))).toEqual(new Set(["200"]));
});
