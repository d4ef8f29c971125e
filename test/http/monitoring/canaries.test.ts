import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { account, accounts, apiKey, password } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { monitoredService } from "../../support/monitoring.ts";
import { newRequestId, traceOf } from "../../support/recorded.ts";
import { requestOf, type Sent } from "../../support/request.ts";
import { type Caller, tokenOf } from "../../support/service-token.ts";
import { stage } from "../fixture/stage.ts";

const service = await monitoredService();

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJjYW5hcnkiOiJqd3QifQ.canary-of-a-jwt";
const mail = "canary.mail@example.org";
const { key, row } = apiKey(1);

/** Secrets that must not be stored or returned, in any part of a request. */
// biome-ignore format: many on a line
const secrets = [
  "canary-body", "canary-query", "canary-path", "canary-agent", "canary-cookie", "canary-bearer", "canary-key", "canary-variable",
  "canary-address", "canary-field", "canary-url-password", "canary-scheme", "canary-pair", "canary.mail", "canary-of-a-jwt",
  "eyJhbGciOiJIUzI1NiJ9", key, password, tokenOf("admin"),
];

/** Errors and log lines of the app's code: the text stays, and secrets in it are removed. */
const words = `the plain words stay, ${mail}, ${jwt}, ${key}, postgres://me:canary-url-password@here/it, Bearer canary-scheme, password=canary-pair, api_key=canary-pair`;

// biome-ignore format: one case a line
const requests: readonly (readonly [Sent, Caller])[] = [
  [{ ...requestOf("POST /notes/create"), body: { data: { body: "canary-body" } } }, "admin"],
  [{ ...requestOf("POST /notes/create"), body: { data: { "canary-body": "canary-body" } } }, "admin"],
  [{ ...requestOf("POST /notes/create"), body: "{ canary-body" }, "admin"],
  [requestOf("GET /notes/fetch?body=canary-query"), null],
  [requestOf("GET /notes/fetch?canary-query=1"), null],
  [requestOf("GET /notes/fetch?id=canary-query"), null],
  [requestOf("GET /canary-path/canary-path?canary-query"), null],
  [requestOf(`GET /admin/rate-limits/canary-path:${mail}`), "admin"],
  [{ ...requestOf("GET /notes/fetch"), headers: { "user-agent": "canary-agent", cookie: "a=canary-cookie" } }, null],
  [{ ...requestOf("GET /notes/fetch"), headers: { authorization: "Bearer canary-bearer" } }, null],
  [{ ...requestOf("GET /notes/fetch"), headers: { authorization: `Bearer ${jwt}` } }, null],
  [{ ...requestOf("GET /notes/fetch"), headers: { "x-api-key": "canary-key" } }, null],
  [{ ...requestOf("GET /notes/fetch"), headers: { "x-api-key": key } }, null],
  [{ ...requestOf("GET /notes/fetch"), headers: { "x-forwarded-for": "canary-address" } }, null],
  [{ ...requestOf("POST /auth/login"), body: { email: mail, password } }, null],
  [{ ...requestOf("POST /auth/login"), body: { email: mail, password: "canary-body" } }, null],
  [{ ...requestOf("POST /auth/register"), body: { email: `x${mail}`, password: "canary-body" } }, null],
  [{ ...requestOf("POST /graphql"),
      body: { query: 'query ($v: Int) { notes(where: { body: "canary-query" }, limit: $v) { id } }', variables: { v: "canary-variable" } } }, null],
  [requestOf("GET /hooked/fetch"), { role: "user", sub: "1", email: mail }],
  [{ ...requestOf("POST /hooked/create"), body: { data: { name: "canary-body", code: "canary-body" } } }, "admin"],
];

/** All bytes that the store has on the disk, its journal among them. */
function bytesOnDisk(): { readonly files: readonly string[]; readonly text: string } {
  const folder = dirname(service.settings.databasePath);
  const files = readdirSync(folder).sort();
  return { files, text: files.map((name) => readFileSync(join(folder, name), "latin1")).join("\n") };
}

// biome-ignore format: many on a line
const reads = [
  "summary", "requests", "requests/recent?limit=200", "requests/timeseries", "ai/runs", "ai/runs/canary-run", "ai/agents",
  "mcp/calls", "metrics", "health",
];

test("no secret from any part of a request is in the store, its journal or a response", async () => {
  await service.store({ ...accounts([account(1, { email: mail, role: "admin" })], [row]) });
  stage.hooks = {
    before_fetch(_, { log, monitoring }) {
      log.error({ password: "canary-field", nested: { access_token: "canary-field" }, mail }, words);
      monitoring.aiRun({
        run_id: "canary-run",
        agent: "agent",
        model: "model",
        provider: "provider",
        status: "failed",
        input_tokens: 1,
        output_tokens: 1,
        cost_usd: 0,
        duration_ms: 1,
        turns: 1,
        error_code: key,
        conversation_id: `with ${mail}`,
        user_id: mail,
        tool_calls: [{ tool: "tool", duration_ms: 1, status: "failed", error_message: words }],
        ...{ prompt: "canary-body", output: "canary-body" },
      });
      monitoring.mcpCall({
        server: "server",
        tool: "tool",
        operation_ref: "token=canary-query",
        caller: mail,
        status: "error",
        error_code: key,
        confirmation: `asked ${mail}`,
        duration_ms: 1,
      });
      throw new Error(words, { cause: new Error(words) });
    },
    before_create() {
      throw new TypeError(words);
    },
  };
  const ids: string[] = [];
  for (const [sent, as] of requests) {
    const id = newRequestId();
    ids.push(id);
    await service.send({ ...sent, headers: { ...sent.headers, "x-request-id": id } }, as);
  }
  stage.hooks = {};
  const answers: string[] = [];
  for (const id of ids) answers.push(JSON.stringify(await traceOf(service, id)));
  // What hooks gave is there too.
  await eventually(async () => expect((await service.ask("GET /ai/runs/canary-run")).status).toBe(200));
  const disk = bytesOnDisk();
  for (const path of reads) answers.push((await service.ask(`GET /${path}`)).text);
  const told = answers.join("\n");
  expect(disk.files).toEqual(expect.arrayContaining(["metrics.db", "metrics.db-wal"]));
  expect(secrets.filter((secret) => disk.text.includes(secret))).toEqual([]);
  expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
  // Nor is it that nothing is kept at all.
  for (const kept of [disk.text, told]) {
    expect(kept).toContain("the plain words stay");
    expect(kept).toContain("/admin/rate-limits/{key}");
  }
});
