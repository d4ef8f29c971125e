import { expect } from "vitest";
import type { TestService } from "../../service.ts";
import type { Player } from "../player.ts";
import { begin, comeBack } from "../sign-in.ts";
import { type Fact, facts } from "./facts.ts";
import { type GameOptions, OAuth2Game } from "./oauth2-game.ts";

/** The facts of a provider. */
export function factOf(name: string): Fact {
  const fact = facts.find((one) => one.name === name);
  if (fact === undefined) throw new Error(`there are no facts of ${name}`);
  return fact;
}

/** What a test changes of a sign-in. */
export interface Change extends GameOptions {
  /** Takes the place of parts that the provider plays. */
  readonly play?: () => void;
  /** What the browser brings in addition, or in place of what it was given. */
  readonly brings?: Readonly<Record<string, string>>;
  /** The calls need not be right. */
  readonly careless?: true;
}

/** Somebody signs in at a provider that plays by the facts. Fails where a call of the service differs from them. */
export async function signInByFacts(
  service: TestService,
  player: Player,
  fact: Fact,
  { play, brings, careless, ...options }: Change = {},
) {
  const game = new OAuth2Game(player, fact, options);
  play?.();
  const { location, cookie, reply } = await begin(service, fact.name, game.loginQuery);
  expect(reply.status).toBe(302);
  const brought = { ...game.consent(location), ...brings };
  const back = await comeBack(service, fact.name, brought, cookie);
  if (careless !== true) expect(game.complaints.join()).toBe("");
  return { game, back, brought, cookie, location };
}

/** The accounts that sign in at a provider. */
export function accountsAt(service: TestService, name: string) {
  return service.query(
    `select uid, email, is_verified, first_name, last_name
     from auth_social join users on users.id = auth_social.user_id where provider = $1`,
    [name],
  );
}

/** What is answered where a sign-in failed, in status and text. */
export const refused = [401, expect.stringContaining("SOCIAL_AUTH_FAILED")];
