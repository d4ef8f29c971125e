import { describe, expect, test } from "vitest";
import { requireStrong } from "#runtime/auth/passwords/password-rules";
import { ServiceError } from "#runtime/errors/index";

/** The rules that a password breaks. */
function broken(password: string, complex = true): unknown {
  try {
    requireStrong(password, "new_password", complex);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "WEAK_PASSWORD") throw error;
    expect(error.status).toBe(400);
    expect(error.details).toMatchObject({ field: "new_password" });
    return error.details?.["rules"];
  }
}

describe("with auth.password_complexity", () => {
  test.each([...'!@#$%^&*(),.?":{}|<>'])("%s is a symbol that counts", (symbol) => {
    expect(broken(`Abcdefghij1${symbol}`)).toEqual([]);
  });

  test.each([..."-_+=;'`~/\\[] §€£¡¿！．"])("%s is none", (symbol) => {
    expect(broken(`Abcdefghij1${symbol}`)).toEqual(["symbol"]);
  });

  test.each<[string, string[]]>([
    ["Abcdefghi1!", ["min_length"]],
    ["abcdefghij1!", ["uppercase"]],
    ["ABCDEFGHIJ1!", ["lowercase"]],
    ["Abcdefghijk!", ["digit"]],
    ["Äbcdefghij1!", []],
    ["ABCDEFGHIJä1!", []],
    ["Abcdefghijk٣!", ["digit"]],
    ["", ["min_length", "uppercase", "lowercase", "digit", "symbol"]],
    ["aaaaaaaaaaaa", ["uppercase", "digit", "symbol"]],
    [`Aa1!${"x".repeat(68)}`, []],
    [`Aa1!${"x".repeat(69)}`, ["max_bytes"]],
    [`Aa1!${"ü".repeat(34)}`, []],
    [`Aa1!${"ü".repeat(35)}`, ["max_bytes"]],
    // Eleven characters, though more code units.
    ["Aa1!😀😀😀😀😀😀😀", ["min_length"]],
    ["Aa1!😀😀😀😀😀😀😀😀", []],
  ])("%j breaks %j", (password, rules) => {
    expect(broken(password)).toEqual(rules);
  });

  test("the message says every rule that is broken", () => {
    expect(() => requireStrong("abc", "password", true)).toThrow(
      'The password must have at least 12 characters; it needs an uppercase letter; it needs a digit; it needs one of ! @ # $ % ^ & * ( ) , . ? " : { } | < >.',
    );
  });
});

test.each<[string, string[]]>([
  ["aaaaaaaaaaaa", []],
  ["            ", []],
  ["aaaaaaaaaaa", ["min_length"]],
  ["a".repeat(73), ["max_bytes"]],
])("without it %j breaks %j", (password, rules) => {
  expect(broken(password, false)).toEqual(rules);
});
