import bcrypt from "bcrypt";
import { expect, test } from "vitest";
import { account, accounts, password } from "../../support/accounts.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService({ auth: { bcryptCost: 5 } });
const rounds = async () => {
  const [row] = await service.query("SELECT password FROM users");
  return bcrypt.getRounds(String(row?.["password"]));
};
const login = (attempt = password) =>
  service.send({
    method: "POST",
    path: "/auth/login",
    body: { email: "user1@example.com", password: attempt },
  });

test("a login with the right password brings the hash to the cost of today", async () => {
  await service.store(accounts([account(1)]));
  expect(outcome(await login("Wrong-Horse-1!!"))).toBe("401 INVALID_CREDENTIALS");
  expect(await rounds()).toBe(4);
  expect(outcome(await login())).toBe("200");
  expect(await rounds()).toBe(5);
  expect(outcome(await login())).toBe("200");
});

test("a login that is refused changes nothing", async () => {
  await service.store(accounts([account(1, { is_verified: false })]));
  expect(outcome(await login())).toBe("403 EMAIL_NOT_VERIFIED");
  expect(await rounds()).toBe(4);
});
