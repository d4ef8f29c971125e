import { defineMigration } from "../runner/index.ts";

/** `auth_tokens` holds the tokens of social sign-ins too, which a page redeems. */
export const webAuth = defineMigration({
  name: "kirak_0003_web_auth",
  parent: "kirak_0002_rate_limits",
  up: [
    { step: "drop_check", table: "auth_tokens", name: "auth_tokens_token_type_check" },
    {
      step: "add_check",
      table: "auth_tokens",
      check: {
        name: "auth_tokens_token_type_check",
        column: "token_type",
        oneOf: ["refresh", "api_key", "password_reset", "web_auth"],
      },
    },
  ],
  // It is not taken back.
  down: [],
});
