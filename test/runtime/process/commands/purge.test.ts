import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { account, accounts, countRows, password, session } from "../../../support/accounts.ts";
import { runCommand } from "../../../support/command.ts";
import { testDatabase } from "../../../support/database.ts";
import { testS3 } from "../../../support/s3/s3-server.ts";
import { testService } from "../../../support/service.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const service = await testService();
const [database] = await service.query("SELECT current_database() AS name");
const url = Object.assign(new URL(inject("postgresUrl")), { pathname: `/${database?.["name"]}` }).href;

const purge = (databaseUrl: string, ...args: string[]) => purgeIn(tmpdir(), databaseUrl, ...args);
const purgeIn = (root: string, databaseUrl: string, ...args: string[]) =>
  runCommand(new URL("purge-in-process.ts", import.meta.url), {
    root,
    args,
    environment: { SERVICE_DATABASE_URL: databaseUrl },
  });

/** More than two batches of each table. */
const expired = 2500;
const tables = [
  "auth_token_blacklist",
  "auth_tokens",
  "auth_otp",
  "kirak_rate_limits",
  "auth_sessions",
] as const;
const live = session(1);

beforeEach(async () => {
  await service.store({
    ...accounts([account(1)], [live.row]),
    auth_token_blacklist: [{ jti: "live", expires_at: "2999-01-01" }],
    auth_otp: [{ phone_number: "+31200000000", code_hash: "live", expires_at: "2999-01-01" }],
  });
  await service.query("DELETE FROM kirak_rate_limits");
  const counters = "INSERT INTO kirak_rate_limits (key, count, max_requests, window_seconds, expires_at)";
  const some = `generate_series(1, ${expired}) AS i`;
  await service.query(`
    ${counters} VALUES ('live', 1, 1, 1, '2999-01-01');
    ${counters} SELECT i, 1, 1, 1, now() - i * interval '1 second' FROM ${some};
    INSERT INTO auth_token_blacklist (jti, expires_at) SELECT i, now() - i * interval '1 second' FROM ${some};
    INSERT INTO auth_otp (phone_number, email, code_hash, expires_at)
      SELECT CASE WHEN i % 2 = 0 THEN i END, CASE WHEN i % 2 = 1 THEN i END, i, now() - interval '1 hour' - i * interval '1 second' FROM ${some};
    INSERT INTO auth_tokens (user_id, token_type, token_hash, expires_at)
    SELECT 1, (ARRAY['refresh', 'api_key', 'password_reset', 'web_auth', 'invitation'])[1 + i % 5], i, now() - i * interval '1 second' FROM ${some};
    INSERT INTO auth_pending_changes (user_id, kind, target, expires_at) VALUES
      (1, 'email', 'old@example.com', now() - interval '1 second'), (1, 'phone', '+31200000001', '2999-01-01');
    UPDATE auth_tokens SET session_id = gen_random_uuid();
    INSERT INTO auth_sessions (id, user_id, access_expires_at, signed_in_with)
    SELECT session_id, 1, now(), '{password}' FROM auth_tokens`);
});

const linesOf = (printed: string) =>
  printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Without changes that wait for a proof: a user has at most one of a kind. */
const removedOf = (printed: string) =>
  linesOf(printed).filter(({ table }) => table !== "auth_pending_changes");

test("removes only expired rows, with a line for each table", async () => {
  const { code, printed, complained } = await purge(url);
  expect([code, complained]).toEqual([0, ""]);
  expect(removedOf(printed)).toMatchObject(
    tables.map((table) => ({ table, removed: expired, msg: `${table}: removed ${expired} expired rows` })),
  );
  for (const table of tables) expect(await countRows(service, table)).toBe(1);
  const pending = linesOf(printed).find(({ table }) => table === "auth_pending_changes");
  expect([pending.removed, await countRows(service, "auth_pending_changes")]).toEqual([1, 1]);
  expect(removedOf((await purge(url)).printed)).toMatchObject(tables.map((table) => ({ table, removed: 0 })));
});

test("three at once share the work, and users of the service notice nothing", async () => {
  const send = (path: string, body: Readonly<Record<string, string>>) =>
    service.send({ method: "POST", path: `/auth/${path}`, body });
  const work = Promise.all([purge(url), purge(url), purge(url)]);
  const state = { done: false };
  const statuses = new Set<number>();
  const use = async () => {
    let token = live.token;
    while (!state.done) {
      const login = await send("login", { email: "user1@example.com", password });
      const refresh = await send("refresh-token", { refreshToken: token });
      token = JSON.parse(refresh.text).data?.refreshToken;
      for (const { status } of [login, refresh]) statuses.add(status);
    }
    return token;
  };
  const using = use();
  const outcomes = await work;
  state.done = true;
  expect((await send("logout", { token: await using })).status).toBe(200);
  expect([...statuses]).toEqual([200]);
  expect(outcomes.map(({ code, complained }) => ({ code, complained }))).toEqual(
    outcomes.map(() => ({ code: 0, complained: "" })),
  );
  const lines = outcomes.flatMap(({ printed }) => removedOf(printed));
  for (const table of tables) {
    const removed = lines.filter((line) => line.table === table).map((line) => line.removed);
    expect(removed).toHaveLength(3);
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(expired);
    if (table !== "auth_sessions") expect(await countRows(service, table, "expires_at < now()")).toBe(0);
  }
});

test("with the storage module, leftovers of uploads that are more than a day old", async () => {
  const root = mkdtempSync(join(tmpdir(), "kirak-purge-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const uploads = join(root, "files", ".uploads");
  mkdirSync(join(root, "models"));
  mkdirSync(join(uploads, "kept"), { recursive: true });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const write = (path: string, changed: Date) => {
    writeFileSync(path, "x");
    utimesSync(path, changed, changed);
  };
  write(join(uploads, "old"), hoursAgo(25));
  write(join(uploads, "new"), hoursAgo(23));
  write(join(uploads, "kept", "original"), hoursAgo(25));
  utimesSync(join(uploads, "kept"), hoursAgo(25), hoursAgo(25));
  write(join(root, "files", "old.txt"), hoursAgo(100));
  const purgeWith = (manifest: object) => {
    writeFileSync(join(root, "models", "manifest.json"), JSON.stringify(manifest));
    return purgeIn(root, url);
  };
  const manifest = { modules: ["storage"], storage: { root: "files" } };
  expect(removedOf((await purgeWith({ ...manifest, modules: [] })).printed)).toHaveLength(tables.length);
  const { code, printed, complained } = await purgeWith(manifest);
  expect([code, complained]).toEqual([0, ""]);
  expect(removedOf(printed).at(-1)).toMatchObject({
    storage: "local",
    removed: 2,
    msg: "storage: removed 2 leftovers of uploads",
  });
  expect(readdirSync(uploads)).toEqual(["new"]);
  expect(readdirSync(join(root, "files")).sort()).toEqual([".uploads", "old.txt"]);
  expect(removedOf((await purgeWith(manifest)).printed).at(-1)).toMatchObject({ removed: 0 });
  expect(await purgeWith({ ...manifest, storage: { roof: "x" } })).toMatchObject({
    code: 1,
    complained: expect.stringContaining('unknown key "storage.roof"'),
  });
});

describe("with files in S3", async () => {
  const s3 = await testS3();
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = s3;
  const root = temporaryFolder("kirak-purge-");
  const storage = { provider: "s3", bucket, endpoint, force_path_style: true };
  mkdirSync(join(root, "models"));
  writeFileSync(join(root, "models", "manifest.json"), JSON.stringify({ modules: ["storage"], storage }));
  const ofSdk = {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };

  // biome-ignore format: one case a line
  test.each([
    { by: "the service's own variables",
      variables: { SERVICE_SET_STORAGE__REGION: region, SERVICE_STORAGE_ACCESS_KEY_ID: accessKeyId,
        SERVICE_STORAGE_SECRET_ACCESS_KEY: secretAccessKey } },
    { by: "what the SDK finds", variables: ofSdk },
  ])("aborts uploads in parts from more than a day ago, with credentials by $by", async ({ variables }) => {
    s3.objects.clear();
    s3.aheadMs = -25 * 3_600_000;
    s3.begin("films/old.mp4");
    s3.place("films/old.mp4");
    s3.aheadMs = -23 * 3_600_000;
    s3.begin("films/new.mp4");
    s3.aheadMs = 0;
    // The SDK complains of the version of Node.js.
    const { code, printed } = await purgeWith(variables);
    expect(code).toBe(0);
    expect(removedOf(printed).at(-1)).toMatchObject({ storage: "s3",
      removed: 1,
      msg: expect.stringMatching(/^storage: removed 1 leftover/),
    });
    expect([...s3.uploads.values()].map(({ key }) => key)).toContain("films/new.mp4");
    expect([...s3.uploads.values()].map(({ key }) => key)).not.toContain("films/old.mp4");
    expect([...s3.objects.keys()]).toEqual(["films/old.mp4"]);
  });

  test("prints the refusal of S3", async () => {
    const { code, complained } = await purgeWith({ ...ofSdk, AWS_SECRET_ACCESS_KEY: "another" });
    expect(code).toBe(1);
    expect(complained).toMatch(/S3 ListMultipartUploads: 403 SignatureDoesNotMatch/);
    expect(complained).not.toContain("another");
  });

  function purgeWith(variables: Readonly<Record<string, string>>) {
    const environment = { SERVICE_DATABASE_URL: url, ...variables };
    return runCommand(new URL("purge-in-process.ts", import.meta.url), { root, environment });
  }
});

test("reports missing tables and unknown arguments", async () => {
  const empty = await testDatabase();
  expect(await purge(empty.url)).toMatchObject({
    code: 1,
    complained: "the database lacks tables of this version: run npm run migrate first\n",
  });
  expect(await purge(url, "--all")).toMatchObject({
    code: 2,
    complained: expect.stringMatching(/^Unknown argument: all\n`kirak purge --help` lists the flags\n$/),
  });
  expect(await purge("postgres://user:hidden@127.0.0.1:1/app")).toMatchObject({
    code: 1,
    complained: expect.stringMatching(/^the database cannot be reached \(SERVICE_DATABASE_URL\)/),
  });
});
