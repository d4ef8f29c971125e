import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sendAs, signIn } from "../../../support/account-requests.ts";
import { account, accounts, apiKey, countRows, session } from "../../../support/accounts.ts";
import { runCommand } from "../../../support/command.ts";
import { outcome } from "../../../support/scenarios.ts";
import { testService } from "../../../support/service.ts";
import { jwtSecret } from "../../../support/service-token.ts";

const module = new URL("users-in-process.ts", import.meta.url);
const root = mkdtempSync(join(tmpdir(), "kirak-users-"));
mkdirSync(join(root, "models"));
writeFileSync(
  join(root, "models/manifest.json"),
  JSON.stringify({ auth: { bcrypt_cost: 4 }, email: { provider: "log" } }),
);
afterAll(() => rmSync(root, { recursive: true }));

const service = await testService({ auth: { emailVerificationRequired: false } });
const environment = {
  SERVICE_DATABASE_URL: service.url,
  SERVICE_AUTH_JWT_SECRET_KEY: jwtSecret,
};
const users = (...args: string[]) => runCommand(module, { root, args, environment });
const isNow = (condition: string) => countRows(service, "users", condition);

beforeEach(async () => {
  await service.store(
    accounts(
      [
        account(1, { role: "admin" }),
        account(2, { first_name: "Ann\u001b[2J" }),
        account(3, { is_active: false, email: null, phone_number: "+12025550123" }),
      ],
      [session(2).row, apiKey(2).row],
    ),
  );
});

describe("kirak users list", () => {
  test("prints a line for each account, without control characters and secrets", async () => {
    const { code, printed } = await users();
    expect(code).toBe(0);
    expect(printed.split("\n")).toEqual([
      "       1  verified    admin       user1@example.com",
      "       2  verified    user        user2@example.com  Ann\\u001b[2J",
      "       3  inactive    user        +12025550123",
      "",
    ]);
  });

  test("filters, and prints JSON", async () => {
    const { printed } = await users("list", "--role", "user", "--search", "user2", "--limit", "5", "--json");
    expect(JSON.parse(printed)).toMatchObject([{ user_id: 2, email: "user2@example.com" }]);
    expect(printed).not.toContain("$2b$");
    expect((await users("list", "--search", "zoe")).printed).toBe("no account matches\n");
  });
});

test("kirak users show prints an account by id or e-mail", async () => {
  const { printed } = await users("show", " USER2@example.com", "--json");
  expect(JSON.parse(printed)).toMatchObject({
    user_id: 2,
    sign_in: { password: true, api_keys: 1, sessions: 1 },
  });
  expect((await users("show", "2")).printed).toMatch(
    /^user_id +2\nemail +user2@example\.com\n.*sign_in\.sessions +1\n/s,
  );
});

test("kirak users set-role, deactivate, activate, sign-out and reset-mfa act at once", async () => {
  const token = await signIn(service, 2);
  const me = async () => outcome(await sendAs(service, "GET /auth/me", token));
  const { code, printed, complained } = await users("set-role", "user2@example.com", "staff");
  expect([code, printed]).toEqual([0, "user2@example.com has the role staff\n"]);
  expect(JSON.parse(complained)).toMatchObject({
    msg: "account event",
    event: "user.updated",
    user_id: "2",
    actor: "command",
    actor_id: null,
    address: null,
    changes: ["role from user to staff"],
    level: 40,
  });
  expect(await me()).toBe("401 TOKEN_REVOKED");
  expect((await users("set-role", "2", "staff")).printed).toBe("2 has the role staff already\n");
  expect((await users("sign-out", "2", "--api-keys")).printed).toMatch(
    /^2 is signed out: 2 sessions ended, 1 API keys deleted\n$/,
  );
  expect((await users("deactivate", "2")).printed).toBe("2 is inactive\n");
  expect(await isNow("id = 2 AND NOT is_active")).toBe(1);
  expect((await users("activate", "2")).printed).toBe("2 is active\n");
  await service.query(
    "INSERT INTO auth_mfa (user_id, secret, backup_codes, enabled) VALUES (2, 'x', '[]', true)",
  );
  expect((await users("reset-mfa", "2")).printed).toMatch(/the second factor and 0 passkeys removed\n$/);
});

test("kirak users delete runs hooks with the role system, and needs --yes", async () => {
  expect(await users("delete", "2")).toMatchObject({ code: 2, complained: expect.stringContaining("--yes") });
  expect(await isNow("id = 2")).toBe(1);
  expect(await users("delete", "2", "--yes")).toMatchObject({ code: 0 });
  expect(await isNow("id = 2")).toBe(0);
});

// biome-ignore format: one case a line
test.each([
  [["show", "zoe@example.com"], 1, /No account has this id/], [["show", "99"], 1, /No account has this id/],
  [["set-role", "1", "user"], 1, /no active administrator/], [["deactivate", "1"], 1, /no active administrator/],
  [["delete", "1", "--yes"], 1, /no active administrator/], [["set-role", "2", "stafff"], 1, /did you mean "staff"\?/],
  [["set-role", "2", "*"], 1, /is not a role/], [["set-role", "2"], 2, /needs an account and a role/], [["show"], 2, /needs the id or e-mail/],
  [["set-role", "2", "a", "b"], 2, /Too many|Unknown/], [["list", "--limit", "0"], 2, /--limit must be/], [["nope"], 2, /unknown command/],
] as const)("%j exits with %i", async (args, code, message) => {
  const result = await users(...args);
  expect([result.code, result.printed]).toEqual([code, ""]);
  expect(result.complained).toMatch(message);
});

test("a relation that forbids the deletion is named", async () => {
  const change = (to: string) =>
    service.query(`ALTER TABLE letters DROP CONSTRAINT letters_author_id_fkey;
      ALTER TABLE letters ADD CONSTRAINT letters_author_id_fkey FOREIGN KEY (author_id) REFERENCES users (id) ON DELETE ${to}`);
  await change("RESTRICT");
  try {
    await service.query("INSERT INTO letters (author_id) VALUES (2)");
    expect(await users("delete", "2", "--yes")).toMatchObject({
      code: 1,
      complained: expect.stringContaining("letters.author_id"),
    });
  } finally {
    await change("CASCADE");
  }
});
