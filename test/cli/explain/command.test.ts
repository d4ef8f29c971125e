import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "#cli/commands/explain";
import { compiled } from "../../support/compiled.ts";
import { testDatabase } from "../../support/database.ts";
import { asked } from "../support/asked.ts";
import { type ExplainedTracker, explainedTracker } from "./tracker.ts";

const program = fileURLToPath(compiled(new URL("../../../cli/kirak.ts", import.meta.url)));
const folder = resolve(import.meta.dirname, "..", "..", "..", "examples", "tracker");
let tracker: ExplainedTracker;

beforeAll(async () => {
  tracker = await explainedTracker();
});

const words = (line: string) => line.split(" ");
const variables = () => ({ SERVICE_DATABASE_URL: tracker.service.url });

describe("the flags of kirak explain", () => {
  it.each([
    ["--as user", "explain needs a model and an operation, such as tasks.update"],
    ["tasks.fetch --graphql {a}", "--graphql takes no operation, --id, --where, --data or --query"],
    ["tasks.fetch other", "Unknown argument: other"],
    ["tasks.fetch --variables {}", "--variables needs --graphql"],
  ])("not %s", async (line, mistake) => {
    expect(await asked(command, words(line))).toEqual({ mistake });
  });
});

describe("mistakes", () => {
  // biome-ignore format: one case a line
  it.each([
    [{ subject: "taks.fetch" }, 'there is no model "taks"; did you mean "tasks"?'],
    [{ subject: "tasks.fecth" }, 'there is no operation "fecth"; did you mean "fetch"?'],
    [{ subject: "tasks" }, 'there is no operation ""; the operations are fetch, search'],
    [{ subject: "tasks.fetch", as: "admn" }, 'no rule names the role "admn"; did you mean "admin"?'],
    [{ subject: "tasks.fetch", as: "signed_in" }, '"signed_in" stands for several roles'],
    [{ subject: "tasks.fetch", as: "user:77" }, "there is no user 77; for a token without an account, name its role: --as <role>"],
    [{ subject: "tasks.fetch", as: "user:x" }, "there is no user x"],
    [{ subject: "tasks.fetch", as: "key:kk_none" }, "there is no API key that begins with kk_none"],
    [{ subject: "tasks.fetch", id: "x" }, "--id: id: must be a whole number in range"],
    [{ subject: "tasks.fetch", where: "{" }, "--where is not JSON"],
    [{ subject: "tasks.fetch", where: "[]" }, "--where must be a JSON object"],
    [{ subject: "tasks.fetch", where: '{"state":"x"}' }, "--where: state: is not a field"],
    [{ subject: "tasks.fetch", query: '{"order_by":"x"}' }, "--query: order_by: is not a field"],
    [{ subject: "tasks.fetch", data: "{}" }, "fetch takes no --data"],
    [{ subject: "tasks.create", id: "1" }, "create takes no --id"],
    [{ subject: "tasks.update", query: "{}" }, "update takes no --query"],
    [{ subject: "tasks.delete", where: "{}" }, "--where: where: needs at least one filter"],
    [{ subject: "tasks.create", data: JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`f${at}`, 1]))) }, "--data: data: has more than 1000 keys"],
    [{ subject: "tasks.fetch", id: "1", where: "{}" }, "--id and --where cannot be combined"],
  ])("%j", async (request, message) => {
    await expect(tracker.asked(request)).rejects.toThrow(message);
  });
});

describe("callers", () => {
  it("of an API key are its user, and an expired key or a locked account is refused", async () => {
    const { service, asked: ask } = tracker;
    const key = (prefix: string, user: number, days: number) =>
      service.query(
        `insert into auth_tokens (user_id, token_type, token_hash, key_prefix, expires_at)
         values (${user}, 'api_key', '${prefix}', '${prefix}', now() + ${days} * interval '1 day')`,
      );
    await key("kk_11111111", 3, 1);
    await key("kk_22222222", 3, -1);
    const request = { subject: "tasks.fetch", id: "1" };
    expect(await ask({ ...request, as: "key:kk_11111111" })).toMatchObject({
      caller: { user_id: "3", role: "user" },
      answer: { text: "allowed" },
    });
    const expired = await ask({ ...request, as: "key:kk_22222222" });
    expect(expired.answer.text).toBe("refused: the API key has expired: each request is 401");
    await service.query("update users set is_active = false where id = 7");
    const locked = await ask({ ...request, as: "user:7" });
    await service.query("update users set is_active = true where id = 7");
    expect(locked.answer.text).toBe("refused: the account is not active: each request is 401");
  });

  it("with a role only have no user id", async () => {
    const { caller, rows } = await tracker.asked({ subject: "organisations.fetch", as: "user", id: "1" });
    expect(caller).toEqual({ name: "the role user", role: "user", user_id: null });
    expect(JSON.stringify(rows)).toContain('{"name":"{user_id}","value":null}');
  });
});

describe("secrets", () => {
  it("values of fields that no role reads are not printed, nor are those of passwords", async () => {
    const creation = { subject: "organisations.create", as: "user:3", data: '{"name":"A"}' };
    const printed = await tracker.printed(creation);
    expect(printed).toContain("{user.is_active} is hidden");
  });
});

describe("the process", () => {
  it("exits with 0, 1, 2 and 3, and prints JSON", async () => {
    const ran = (line: string, given = variables()) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, "explain", ...words(line)], {
        ...{ cwd: folder, encoding: "utf8", env: { PATH: process.env["PATH"], ...given } },
      });
      return { status, stdout, stderr };
    };
    const allowed = ran("tasks.fetch --as user:3 --json");
    expect(allowed.status).toBe(0);
    expect(JSON.parse(allowed.stdout)).toEqual(await tracker.asked({ subject: "tasks.fetch", as: "user:3" }));
    const refused = ran("tasks.fetch --as user:5 --id 1");
    expect(refused.status).toBe(1);
    expect(refused.stdout).toMatch(/\nnot found: no rule holds for the row\n$/);
    expect(ran("taskz.fetch").status).toBe(2);
    const unreached = ran("tasks.fetch", { SERVICE_DATABASE_URL: "postgres://127.0.0.1:1/none" });
    expect(unreached.status).toBe(3);
    expect(unreached.stderr).toContain("the database cannot be reached");
    const empty = ran("tasks.fetch --as user:3 --id 1", {
      SERVICE_DATABASE_URL: (await testDatabase()).url,
    });
    expect(empty).toEqual({
      status: 3,
      stdout: "",
      stderr: expect.stringContaining("run npx kirak migrate"),
    });
  }, 180_000);
});
