import { expect, test } from "vitest";
import type { Blacklist } from "../../../runtime/auth/blacklist/blacklist.ts";
import { TokenCheck } from "../../../runtime/auth/http/token-check.ts";
import { ServiceError } from "../../../runtime/errors/index.ts";

/** A check of a token whose blacklist answers, or fails, as told; how often that was asked, and how often the token was said to be good. */
function checkOf(answer: () => Promise<boolean>) {
  const count = { asked: 0, held: 0 };
  const blacklist: Blacklist = {
    has() {
      count.asked++;
      return answer();
    },
    question: () => null,
    add: () => Promise.resolve(),
  };
  const question = {
    statement: { name: null, text: "select 1" },
    values: [],
    refusal: (error: Error) => error,
  };
  const check = new TokenCheck("jti", blacklist, question, () => void count.held++);
  return { check, count };
}

test("who asks at the same time, or later, is told by one question", async () => {
  const { check, count } = checkOf(async () => false);
  await Promise.all([check.settle(), check.settle()]);
  await check.settle();
  expect(count).toEqual({ asked: 1, held: 1 });
  expect([check.isSettled, check.condition()]).toEqual([true, null]);
});

test("a statement that has told it meanwhile says so once", async () => {
  const { check, count } = checkOf(async () => false);
  const condition = check.condition();
  const asked = check.settle();
  condition?.held();
  await asked;
  expect(count).toEqual({ asked: 1, held: 1 });
});

test.each([
  ["a revoked token", async () => true, "TOKEN_REVOKED"],
  [
    "a blacklist that cannot tell",
    () => Promise.reject(new ServiceError("AUTH_UNAVAILABLE")),
    "AUTH_UNAVAILABLE",
  ],
])("%s is refused by one question, for all", async (_name, answer, code) => {
  const { check, count } = checkOf(answer);
  const refusals = await Promise.allSettled([check.settle(), check.settle()]);
  refusals.push(...(await Promise.allSettled([check.settle()])));
  expect(refusals).toMatchObject([1, 2, 3].map(() => ({ status: "rejected", reason: { code } })));
  expect(count).toEqual({ asked: 1, held: 0 });
  expect(check.isSettled).toBe(false);
});
