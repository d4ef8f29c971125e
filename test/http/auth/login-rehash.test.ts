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

test("all of eight logins at once succeed, whichever of them renews the hash", async () => {
  await service.store(accounts([account(1)]));
  const replies = await Promise.all(Array.from({ length: 8 }, () => login()));
  expect(new Set(replies.map(outcome))).toEqual(new Set(["200"]));
  expect(await rounds()).toBe(5);
});

test("a password change beside a login that renews the hash succeeds", async () => {
  await service.store(accounts([account(1)]));
  const new_password = "Other-Horse-2!";
  const body = { current_password: password, new_password, confirm_password: new_password };
  // Before the change is through, the logins replace the hash that it was compared with.
  const [changed] = await Promise.all([
    service.send({ method: "POST", path: "/auth/change-password", body }, { role: "user", sub: "1" }),
    ...Array.from({ length: 5 }, () => login()),
  ]);
  expect(changed === undefined ? "" : outcome(changed)).toBe("200");
  expect(outcome(await login(new_password))).toBe("200");
  expect(outcome(await login())).toBe("401 INVALID_CREDENTIALS");
});
