import { describe, expect, test } from "vitest";
import { testService } from "../../support/service.ts";
import { declaredFor } from "../../support/social/facts/declared.ts";
import { type Fact, facts } from "../../support/social/facts/facts.ts";
import { notes } from "../../support/social/facts/notes.ts";
import { type GameOptions, OAuth2Game } from "../../support/social/facts/oauth2-game.ts";
import { player } from "../../support/social/player.ts";
import { rootWithPackages } from "../../support/social/root-with-packages.ts";
import { baseUrl, begin, comeBack, socialSettings } from "../../support/social/sign-in.ts";

const rows = facts.filter(({ protocol }) => protocol === "oauth2");
const named = (some: readonly Fact[]) => some.map((fact) => [fact.name, fact] as const);

const provider = await player();
const social = socialSettings(
  Object.fromEntries(rows.map((fact) => [fact.name, declaredFor(fact)])),
  {},
  false,
  rootWithPackages("@shopify/shopify-api"),
);
const service = await testService({ baseUrl, social }, { resolveProvider: provider.resolve });

/** Somebody signs in, or tries to. */
async function signIn(fact: Fact, options: GameOptions = {}) {
  const game = new OAuth2Game(provider, fact, options);
  const { location, cookie, reply } = await begin(service, fact.name, game.loginQuery);
  expect(reply.status).toBe(302);
  const brought = game.consent(location);
  const back = await comeBack(service, fact.name, brought, cookie);
  expect(game.complaints.join()).toBe("");
  return { game, back, brought, cookie };
}

const accounts = (name: string) =>
  service.query(
    `select uid, email, is_verified, first_name, last_name
     from auth_social join users on users.id = auth_social.user_id where provider = $1`,
    [name],
  );

describe.each(named(rows))("%s", (name, fact) => {
  test("signs in", async () => {
    const { game, back, brought, cookie } = await signIn(fact);
    expect(back.status, back.text).toBe(200);
    expect(await accounts(name)).toEqual([game.person.expected]);
    const again = await comeBack(service, name, brought, cookie);
    expect(again.status).toBe(401);
  });
});

const confirming = rows.filter(({ email_verified_path: path }) => path !== null);
const otherPlaces = rows.filter((fact) =>
  [fact.uid_path, fact.email_path, fact.full_name_path].some((path) => path?.includes("|")),
);

describe.each(named(confirming))("%s, where the e-mail was not confirmed", (name, fact) => {
  test("makes an account that is not verified", async () => {
    await service.store({});
    const { game, back } = await signIn(fact, { confirmed: false });
    expect(back.status, back.text).toBe(200);
    expect(game.person.expected.is_verified).toBe(false);
    expect(await accounts(name)).toEqual([game.person.expected]);
  });
});

describe.each(named(otherPlaces))("%s, which says it at another place", (name, fact) => {
  test("signs in", async () => {
    await service.store({});
    const { game, back } = await signIn(fact, { place: "last" });
    expect(back.status, back.text).toBe(200);
    expect(await accounts(name)).toEqual([game.person.expected]);
  });
});

describe.each(named(rows))("%s, refused", (name, fact) => {
  test("another code is exchanged for nothing", async () => {
    const { game, back } = await signIn(fact, { wrongCode: true });
    expect([back.status, back.text]).toEqual([401, expect.stringContaining("SOCIAL_AUTH_FAILED")]);
    expect(game.called).toEqual(["token"]);
  });

  test.skipIf(name === "shopify")("who has no id does not sign in", async () => {
    const { back } = await signIn(fact, { withoutUid: true });
    expect([back.status, back.text]).toEqual([401, expect.stringContaining("SOCIAL_AUTH_FAILED")]);
  });
});

const telling = rows.filter(({ name }) => notes[name]?.failure !== undefined);

describe.each(named(telling))("%s, which tells of failures with status 200", (_, fact) => {
  test.each(["token", "userinfo"] as const)("is believed at the %s", async (failing) => {
    const { game, back } = await signIn(fact, { failing });
    expect([back.status, back.text]).toEqual([401, expect.stringContaining("SOCIAL_AUTH_FAILED")]);
    expect(game.called.at(-1)).toBe(failing);
  });
});
