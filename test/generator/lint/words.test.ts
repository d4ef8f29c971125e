import { expect, test } from "vitest";
import { isAdminLike } from "#generator/lint/lint-callers";
import { looksLikePassword, looksPersonal, looksSecret, wordsOf } from "#generator/lint/words";

test.each([
  ["api_key", ["api", "key"]],
  ["apiKeyHash", ["api", "key", "hash"]],
  ["XMLToken", ["xml", "token"]],
  ["super-admin", ["super", "admin"]],
  ["last4", ["last4"]],
])("the words of %s", (name, words) => {
  expect(wordsOf(name)).toEqual(words);
});

// biome-ignore format: one case a line
const secret = [
  "token", "reset_token", "apiKey", "api_keys", "stripe_secret", "pinCode", "IBAN", "otp", "cvc", "token1", "token_2", "jwt", "refresh_jwt", "salt",
  "session_key", "session_id", "userSessionId", "magic_link", "reset_code", "auth_key", "webhook_key",
];
// biome-ignore format: one case a line
const harmless = [
  "hashtag", "token_type", "token_count", "file_hash", "secretary", "key", "public_key", "card", "pin", "token_type_2", "session_count", "magic",
  "zip_code",
];

test.each([
  ...secret.map((name) => [name, true] as const),
  ...harmless.map((name) => [name, false] as const),
])("%s looks like a secret: %s", (name, looks) => {
  expect(looksSecret(name)).toBe(looks);
});

test.each([
  ["password", true],
  ["adminPwd", true],
  ["password2", true],
  ["password_2", true],
  ["password_hint", false],
  ["password_changed_at", false],
])("%s looks like a password: %s", (name, looks) => {
  expect(looksLikePassword(name)).toBe(looks);
});

test.each([
  ["admin", true],
  ["super-admin", true],
  ["non_admin", false],
  ["nonAdmin", false],
  ["administration", false],
])("%s is an administrator by its name: %s", (role, is) => {
  expect(isAdminLike(role)).toBe(is);
});

test.each([
  ["phone", true],
  ["phone2", true],
  ["homeAddress", true],
  ["born_on", true],
  ["date_of_birth", true],
  ["wallet_address", false],
  ["phone_verified", false],
  ["headphones", false],
  ["reborn_on", false],
])("%s looks like personal data: %s", (name, looks) => {
  expect(looksPersonal(name)).toBe(looks);
});
