import { describe, expect, test } from "vitest";
import { testService } from "../../support/service.ts";
import { declaredFor } from "../../support/social/facts/declared.ts";
import { type Fact, facts } from "../../support/social/facts/facts.ts";
import { notes } from "../../support/social/facts/notes.ts";
import {
  accountsAt,
  type Change,
  refused,
  signInByFacts,
} from "../../support/social/facts/sign-in-by-facts.ts";
import { player } from "../../support/social/player.ts";
import { rootWithPackages } from "../../support/social/root-with-packages.ts";
import { baseUrl, comeBack, socialSettings } from "../../support/social/sign-in.ts";

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
const signIn = (fact: Fact, change?: Change) => signInByFacts(service, provider, fact, change);

describe.each(named(rows))("%s", (name, fact) => {
  test("signs in, once with a code", async () => {
    const { game, back, brought, cookie } = await signIn(fact);
    expect(back.status, back.text).toBe(200);
    expect(await accountsAt(service, name)).toEqual([game.person.expected]);
    const again = await comeBack(service, name, brought, cookie);
    expect([again.status, again.text]).toEqual(refused);
  });

  test("exchanges another code for nothing", async () => {
    const { game, back } = await signIn(fact, { wrongCode: true });
    expect([back.status, back.text]).toEqual(refused);
    expect(game.called).toEqual(["token"]);
  });

  // The id of a shop is its address, which its signature covers.
  test.skipIf(name === "shopify")("refuses who has no id", async () => {
    const { back } = await signIn(fact, { withoutUid: true });
    expect([back.status, back.text]).toEqual(refused);
  });
});

const confirming = rows.filter(({ email_verified_path: path }) => path !== null);

describe.each(named(confirming))("%s", (name, fact) => {
  test("is believed where it says that an e-mail was not confirmed", async () => {
    await service.store({});
    const { game, back } = await signIn(fact, { confirmed: false });
    expect(back.status, back.text).toBe(200);
    expect(game.person.expected.is_verified).toBe(false);
    expect(await accountsAt(service, name)).toEqual([game.person.expected]);
  });
});

const manyPlaced = rows.filter((fact) =>
  [fact.uid_path, fact.email_path, fact.full_name_path].some((path) => path?.includes("|")),
);

describe.each(named(manyPlaced))("%s", (name, fact) => {
  test("is understood where it says it at another place", async () => {
    await service.store({});
    const { game, back } = await signIn(fact, { place: "last" });
    expect(back.status, back.text).toBe(200);
    expect(await accountsAt(service, name)).toEqual([game.person.expected]);
  });
});

const telling = rows.filter(({ name }) => notes[name]?.failure !== undefined);

describe.each(named(telling))("%s", (_, fact) => {
  test.each(["token", "userinfo"] as const)(
    "is believed where it fails at the %s with status 200",
    async (at) => {
      const { game, back } = await signIn(fact, { failing: at });
      expect([back.status, back.text]).toEqual(refused);
      expect(game.called.at(-1)).toBe(at);
    },
  );
});
