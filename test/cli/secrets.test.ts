import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { secretLines } from "#cli/secrets/secret-lines";

const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
const namesInExample = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name ?? "");
const handedOutByOthers = [
  "PAYMENT_WEBHOOK_SECRET",
  "SERVICE_ADMIN_PASSWORD",
  "SERVICE_STORAGE_SECRET_ACCESS_KEY",
];

test("each secret of .env.example is printed", () => {
  const secrets = namesInExample.filter(
    (name) => /(?:_KEY|_SECRET|_PASSWORD)$/.test(name) && !handedOutByOthers.includes(name),
  );
  expect(Object.keys(parseEnv(secretLines())).sort()).toEqual(secrets.sort());
});

test("a secret is 48 random bytes in base64url, another one each time, after a comment line", () => {
  const text = secretLines();
  expect(text).toMatch(/^(?:# .+\n[A-Z_]+=[\w-]{64}\n\n?)+$/);
  const values = [...Object.values(parseEnv(text)), ...Object.values(parseEnv(secretLines()))];
  expect(new Set(values).size).toBe(values.length);
});
