import type { Player } from "./player.ts";

/** An account at GitHub, which stands for any provider of OAuth 2.0. */
export interface GithubAccount {
  readonly id: number | string;
  readonly name?: string | null;
  /** Null for nobody's. */
  readonly email?: string | null;
  readonly verified?: boolean;
}

/** Plays GitHub for whoever signs in next. The code is `good`, and every other one is refused. */
export function playGithub(
  { play }: Player,
  { id, name = "Ann Lee", email = "ann@example.com", verified = true }: GithubAccount,
): void {
  play("POST https://github.com/login/oauth/access_token", ({ form }) =>
    form.get("code") === "good"
      ? { json: { access_token: "gho_access", token_type: "bearer", scope: "user:email" } }
      : { json: { error: "bad_verification_code", error_description: "The code is wrong." } },
  );
  play("GET https://api.github.com/user", () => ({ json: { id, login: "ann", name, email: null } }));
  play("GET https://api.github.com/user/emails", () => ({
    json: [
      { email: "other@example.com", primary: false, verified: true },
      ...(email === null ? [] : [{ email, primary: true, verified }]),
    ],
  }));
}
