import { describe, expect, test } from "vitest";
import { verificationPage } from "#runtime/auth/http/pages/index";
import { account, accounts, countRows } from "../../support/accounts.ts";
import { signing, tokenIn } from "../../support/links.ts";
import { outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";

const page = "https://shop.example/reset?lang=de";
const service = await testService({
  ...signing,
  authPrefix: "/account",
  auth: { forgotPasswordPageUrl: page },
});

const path = "/account/generate-verification-link";
const given = accounts([
  account(1, { email: "ann@example.com", is_verified: false }),
  account(2),
  account(3, { email: null }),
]);
const body = { user_id: 1, email: "ann@example.com", type: "email_verification" };
const generate = (changes: object, rest: Partial<Scenario> = {}): Scenario => ({
  name: rest.name ?? JSON.stringify(changes),
  given,
  send: `POST ${path}`,
  as: "admin",
  body: JSON.parse(JSON.stringify({ ...body, ...changes })),
  ...rest,
});
const foreign = { fails: "400 VALIDATION_ERROR email", rows: { auth_tokens: [] } };

describe("POST /auth/generate-verification-link", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    ...["admin", "system", "superadmin"].map((as) =>
      generate(
        {},
        {
          name: as,
          as,
          data: { secure_link: expect.stringMatching(/^https:\/\/shop\.example\/account\/verify-email\?token=[\w.-]+$/), type: "email_verification" },
          rows: { auth_tokens: [] },
        },
      ),
    ),
    generate(
      { type: "password_reset" },
      {
        data: { secure_link: expect.stringMatching(/^https:\/\/shop\.example\/reset\?lang=de&token=[\w.-]+$/), type: "password_reset" },
        rows: { auth_tokens: [{ user_id: 1, token_type: "password_reset" }] },
      },
    ),
    generate({ email: " ANN@example.com" }, { data: expect.anything() }),
    generate({}, { name: "a user", as: "user", fails: "403 PERMISSION_DENIED" }),
    generate({}, { name: "a role like admin", as: "Admin", fails: "403 PERMISSION_DENIED" }),
    generate({}, { name: "a guest", as: null, fails: "401 MISSING_TOKEN" }),
    generate({}, { name: "an API key", as: null, headers: { "x-api-key": "kk_1" }, fails: "401 MISSING_TOKEN" }),
    generate({ user_id: 2 }, foreign),
    generate({ user_id: 9 }, foreign),
    generate({ user_id: 3 }, foreign),
    generate({ email: "user2@example.com" }, foreign),
    generate({ email: "ann" }, foreign),
    generate({ user_id: 2, type: "password_reset" }, foreign),
    generate({ user_id: undefined }, { fails: "400 VALIDATION_ERROR user_id" }),
    generate({ user_id: "1" }, { fails: "400 VALIDATION_ERROR user_id" }),
    generate({ user_id: 0 }, { fails: "400 VALIDATION_ERROR user_id" }),
    generate({ email: undefined }, { fails: "400 VALIDATION_ERROR email" }),
    generate({ type: undefined }, { fails: "400 VALIDATION_ERROR type" }),
    generate({ type: "login" }, { fails: "400 VALIDATION_ERROR type" }),
    generate({ url: "https://eve.example" }, { fails: "400 VALIDATION_ERROR url" }),
    { name: "without a body", send: `POST ${path}`, as: "user", fails: "403 PERMISSION_DENIED" },
    { send: `GET ${path}`, fails: "405 HTTP_ERROR" },
  ]);

  const linkOf = async (type: string, to: TestService = service) => {
    const reply = await to.send({ method: "POST", path, body: { ...body, type } }, "admin");
    return (reply.envelope.data as { secure_link: string }).secure_link;
  };

  test("the verification link verifies", async () => {
    await service.store(given);
    const { pathname, search } = new URL(await linkOf("email_verification"));
    const reply = await service.send({ method: "GET", path: pathname + search });
    expect(reply.text).toBe(verificationPage("verified").html);
  });

  test("the reset link resets, once", async () => {
    await service.store(given);
    const token = tokenIn(await linkOf("password_reset"));
    const text = "Another-Horse-2!";
    const reset = () =>
      service.send({
        method: "POST",
        path: "/account/reset-password",
        body: { token, new_password: text, confirm_password: text },
      });
    expect(outcome(await reset())).toBe("200");
    expect(outcome(await reset())).toBe("400 INVALID_RESET_TOKEN");
    expect(await countRows(service, "auth_tokens")).toBe(0);
  });
});

test("without a key it is 503", async () => {
  const keyless = await testService();
  await keyless.store(given);
  for (const type of ["email_verification", "password_reset"]) {
    const sent = { method: "POST", path: "/auth/generate-verification-link", body: { ...body, type } };
    const reply = await keyless.send(sent, "admin");
    expect(outcome(reply)).toBe("503 HTTP_ERROR");
    expect(reply.envelope.message).toContain("SERVICE_AUTH_VERIFICATION_KEY is not set");
  }
});
