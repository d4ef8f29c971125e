import { describe, expect, test } from "vitest";
import { account, accounts, password, session, storedReset } from "../../support/accounts.ts";
import { resetToken, signing } from "../../support/links.ts";
import type { Reply } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { claimsOf, signed } from "../../support/service-token.ts";

const strict = await testService({ ...signing, auth: { bcryptCost: 5 } });
const plain = await testService({ ...signing, auth: { passwordComplexity: false, bcryptCost: 6 } });

const link = resetToken(1);
const given = accounts([account(1)], [session(1).row, storedReset(1, link)]);

/** Each route that sets a password, and where its body has it (contract: "Passwords"). */
// biome-ignore format: one case a line
const doors: readonly {
  readonly path: string;
  readonly field: string;
  readonly body: (text: string) => Record<string, string>;
}[] = [
  { path: "register", field: "password", body: (text) => ({ email: "new@example.com", password: text }) },
  { path: "change-password", field: "new_password", body: (text) => ({ current_password: password, new_password: text, confirm_password: text }) },
  { path: "reset-password", field: "new_password", body: (text) => ({ token: link, new_password: text, confirm_password: text }) },
];

describe.each(doors)("POST /auth/$path", ({ path, field, body }) => {
  async function set(text: string, to: TestService): Promise<Reply> {
    await to.store(given);
    const headers = { authorization: `Bearer ${signed(claimsOf("user"))}` };
    return to.send({ method: "POST", path: `/auth/${path}`, body: body(text), headers });
  }

  test.each([
    ["min_length", "Short-123!", "must have at least 12 characters"],
    ["uppercase", "another-horse-2?", "needs an uppercase letter"],
    ["lowercase", "ANOTHER-HORSE-2?", "needs a lowercase letter"],
    ["digit", "Another-Horse-x?", "needs a digit"],
    ["symbol", "Another-Horse_2+", 'needs one of ! @ # $ % ^ & * ( ) , . ? " : { } | < >'],
    ["max_bytes", `Another-Horse-2?${"x".repeat(57)}`, "must not be longer than 72 bytes"],
  ])("says that %s is what is missing", async (rule, text, words) => {
    const reply = await set(text, strict);
    expect(outcome(reply)).toBe(`400 WEAK_PASSWORD ${field}`);
    expect(reply.envelope.message).toBe(`The password ${words}.`);
    expect(reply.envelope.details).toEqual({ field, rules: [rule] });
  });

  test.each([...'!@#$%^&*(),.?":{}|<>'])("%s is a symbol", async (symbol) => {
    expect(outcome(await set(`AnotherHorse2${symbol}`, strict))).toBe("200");
  });

  test("auth.password_complexity off: twelve characters are enough, eleven are not, nor are 73 bytes", async () => {
    expect(outcome(await set("x".repeat(12), plain))).toBe("200");
    expect(outcome(await set("x".repeat(72), plain))).toBe("200");
    expect(outcome(await set("x".repeat(11), plain))).toBe(`400 WEAK_PASSWORD ${field}`);
    expect(outcome(await set("x".repeat(73), plain))).toBe(`400 WEAK_PASSWORD ${field}`);
  });

  test("auth.bcrypt_cost is the cost of the hash", async () => {
    for (const [service, cost] of [
      [strict, "05"],
      [plain, "06"],
    ] as const) {
      expect(outcome(await set("Another-Horse-2?", service))).toBe("200");
      const rows = await service.query("SELECT password FROM users ORDER BY id DESC LIMIT 1");
      expect(rows).toEqual([{ password: expect.stringMatching(`^\\$2b\\$${cost}\\$`) }]);
    }
  });
});
