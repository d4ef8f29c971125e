import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { secretKey } from "#runtime/core/config/secret-keys";
import { encryptionKeys, SealedTexts } from "#runtime/modules/auth/crypto/hash";
import { account, accounts, apiKey } from "../../../support/accounts.ts";
import { runCommand } from "../../../support/command.ts";
import { testDatabase } from "../../../support/database.ts";
import { testService } from "../../../support/service.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const service = await testService();
const [jwt, former, next] = ["jwt", "former", "next"].map((text) => text.padEnd(40)) as [
  string,
  string,
  string,
];
const root = temporaryFolder("secrets");
mkdirSync(join(root, "models"));
writeFileSync(join(root, "models/manifest.json"), "{}");

const secrets = async (word: string, variables: Readonly<Record<string, string>> = {}) => {
  const environment = { SERVICE_DATABASE_URL: service.url, SERVICE_AUTH_JWT_SECRET_KEY: jwt, ...variables };
  const { code, printed } = await runCommand(new URL("secrets-in-process.ts", import.meta.url), {
    ...{ root, args: [word] },
    environment,
  });
  const lines = printed.split("\n").filter((line) => line !== "");
  return { code, messages: lines.map((line) => String(JSON.parse(line).msg)) };
};

const texts = (purpose: string, encryption: string | null) =>
  new SealedTexts(
    encryptionKeys(
      { jwt: [secretKey(jwt)], encryption: encryption === null ? null : [secretKey(encryption)] },
      purpose,
    ),
  );
const opened = async (encryption: string) => {
  const social = await service.query("SELECT provider, uid, extra_data AS text FROM auth_social ORDER BY id");
  const factors = await service.query("SELECT user_id, secret AS text FROM auth_mfa ORDER BY id");
  const [first, second] = [texts("social", encryption), texts("mfa secret", encryption)];
  return [
    ...social.map(({ provider, uid, text }) => first.find(String(text), `${provider} ${uid}`)),
    ...factors.map(({ user_id, text }) => second.find(String(text), String(user_id))),
  ].map((found) => (found === null ? null : `${found.key} ${found.text}`));
};

/** More than a batch. */
const many = 450;
const rotating = { SERVICE_AUTH_ENCRYPTION_KEY: next, SERVICE_AUTH_ENCRYPTION_KEY_PREVIOUS: former };

/** Texts of the former key, of the JWT secret, and of the next key. */
beforeEach(async () => {
  const by = [former, null, next];
  await service.store({
    ...accounts([account(1), account(2), account(3)]),
    auth_mfa: by.map((key, index) => ({
      user_id: index + 1,
      secret: texts("mfa secret", key).seal(`factor ${index}`, String(index + 1)),
      backup_codes: "[]",
    })),
    auth_social: Array.from({ length: many }, (_, index) => ({
      user_id: 1,
      provider: "github",
      uid: String(index),
      extra_data: texts("social", by[index % 3] ?? null).seal(`social ${index}`, `github ${index}`),
    })),
  });
});

describe("kirak secrets reseal", () => {
  test("seals texts of older keys again, in batches, and can be repeated", async () => {
    const before = await service.query("SELECT extra_data FROM auth_social WHERE uid = '2'");
    expect(await secrets("reseal", rotating)).toEqual({
      code: 0,
      messages: ["auth_mfa: sealed 2 texts again", "auth_social: sealed 300 texts again"],
    });
    const expected = [
      ...Array.from({ length: many }, (_, index) => `0 social ${index}`),
      ...["0 factor 0", "0 factor 1", "0 factor 2"],
    ];
    expect(await opened(next)).toEqual(expected);
    // A text of the current key stays as it is.
    expect(await service.query("SELECT extra_data FROM auth_social WHERE uid = '2'")).toEqual(before);
    expect((await secrets("reseal", rotating)).messages).toEqual([
      ...["auth_mfa: sealed 0 texts again", "auth_social: sealed 0 texts again"],
    ]);
  });

  test("leaves texts that no key opens, and says how many", async () => {
    await service.query("UPDATE auth_mfa SET secret = 'v1.x' WHERE user_id = 1");
    const { code, messages } = await secrets("reseal", rotating);
    expect([code, messages.at(-1)]).toEqual([0, expect.stringContaining("1 text cannot be opened: ")]);
    expect(await service.query("SELECT secret FROM auth_mfa WHERE user_id = 1")).toEqual([
      { secret: "v1.x" },
    ]);
  });
});

describe("kirak secrets check", () => {
  const nothing = [
    ...[
      "0 API keys not used since the current secret was set",
      "0 sealed texts that only a previous key opens",
    ],
  ];

  test("counts texts that only a previous key opens, until they are sealed again", async () => {
    const { code, messages } = await secrets("check", rotating);
    expect([code, messages[1]]).toEqual([
      1,
      "151 sealed texts that only a previous key opens: run kirak secrets reseal",
    ]);
    await secrets("reseal", rotating);
    expect(await secrets("check", rotating)).toEqual({ code: 0, messages: nothing });
  });

  test("counts API keys that were not used since the current secret was set", async () => {
    await service.query("DELETE FROM auth_mfa; DELETE FROM auth_social");
    const [used, idle] = [apiKey(1, {}, former), apiKey(1, {}, former)];
    const expired = apiKey(1, { expires_at: "2026-01-01" }, former);
    for (const { row } of [used, idle, expired])
      await service.query(
        "INSERT INTO auth_tokens (user_id, token_type, token_hash, expires_at) VALUES (1, 'api_key', $1, $2)",
        [row["token_hash"], row["expires_at"]],
      );
    const keys = { SERVICE_AUTH_API_KEY_SECRET: next, SERVICE_AUTH_API_KEY_SECRET_PREVIOUS: former };
    expect((await secrets("check", keys)).messages[0]).toMatch(/^2 API keys /);
    const rotated = await testService(
      { secrets: { jwt: [secretKey(jwt)], apiKey: [secretKey(next), secretKey(former)] } },
      { reach: async () => service.url },
    );
    const reply = await rotated.send({
      method: "GET",
      path: "/tasks/fetch",
      headers: { "x-api-key": used.key },
    });
    expect(reply.status).toBe(200);
    expect(await secrets("check", keys)).toMatchObject({
      code: 1,
      messages: [expect.stringMatching(/^1 API key /), nothing[1]],
    });
    await service.query("DELETE FROM auth_tokens WHERE token_hash = $1", [idle.hash]);
    expect(await secrets("check", keys)).toEqual({ code: 0, messages: nothing });
  });

  test("a database without the tables of this version is refused", async () => {
    const { url } = await testDatabase();
    expect((await secrets("check", { SERVICE_DATABASE_URL: url })).code).toBe(1);
  });
});
