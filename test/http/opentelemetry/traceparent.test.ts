import { beforeEach, describe, expect, test } from "vitest";
import { defineRoute, type Service } from "#runtime/index";
import { account, accounts } from "../../support/accounts.ts";
import { mailing } from "../../support/links.ts";
import { serviceQueue } from "../../support/queue.ts";
import { requestOf, type Sent } from "../../support/request.ts";
import { record, rows } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { stage } from "../fixture/stage.ts";
import { callOf, connectedWith, notebook, owner } from "../mcp/mcp-service.ts";

const [smtp, sms] = [await testSmtp(), await testSms()];
const served: Service = {
  ...fixture,
  routes: [
    ...fixture.routes,
    defineRoute({
      method: "GET",
      path: "/passed-on",
      access: ["*"],
      answer: {},
      handler(_, { log, traceparent }) {
        log.info("in the handler");
        return traceparent;
      },
    }),
  ],
};
const service = await testService({ ...mailing(smtp), sms: sms.settings }, { served });
const queue = await serviceQueue(served, service);

const traceId = "0af7651916cd43dd8448eb211c80319c";
const rest = `${traceId}-b7ad6b7169203331`;
const traceparent = `00-${rest}-01`;

beforeEach(async () => {
  await service.store({ hooked: rows });
  Object.assign(stage, { hooks: {}, fired: [] });
  service.log.length = 0;
});

const send = (line: string, body?: Sent["body"], headers: Sent["headers"] = { traceparent }) =>
  service.send({ ...requestOf(line, body), headers }, "admin");
/** What the service makes of a header, for code of the app and in its log. */
async function passedOn(sent: string | string[] | undefined): Promise<unknown> {
  const headers = sent === undefined ? {} : { traceparent: sent };
  const { status, envelope } = await send("GET /passed-on", undefined, headers);
  expect(status).toBe(200);
  const expected = typeof envelope.data === "string" ? envelope.data.slice(3, 35) : undefined;
  expect(service.log.map(({ msg, trace_id }) => [msg, trace_id])).toEqual([
    ["in the handler", expected],
    ["request", expected],
  ]);
  return envelope.data;
}

describe("traceparent", () => {
  // biome-ignore format: one case a line
  test.each([
    [traceparent, traceparent],
    [`00-${rest}-00`, `00-${rest}-00`],
    [`00-${rest}-ff`, `00-${rest}-ff`],
    // Of later versions only the flag "sampled" is known.
    [`01-${rest}-ff`, traceparent],
    [`cc-${rest}-02-what the future brings`, null],
    [`cc-${rest}-02-future-1.2`, `00-${rest}-00`],
    [`fe-${rest}-01-`, traceparent],
  ])("%s is passed on as %s", async (sent, expected) => {
    expect(await passedOn(sent)).toBe(expected);
  });

  // biome-ignore format: one case a line
  test.each([
    undefined, "", "0", "00", `ff-${rest}-01`, `00-${rest}-01-more`, `00-${rest}-01-`, `01-${rest}-01more`, `00-${rest}`, `00-${rest}-1`,
    `00-${rest}-001`, `0-${rest}-01`, traceparent.toUpperCase(), `0g-${rest}-01`, `00-${rest}-0g`, `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `00-${traceId}-${"0".repeat(16)}-01`, `00-${traceId}-b7ad6b716920333-01`, `00 ${rest} 01`, `x${traceparent}`, `${traceparent}, ${traceparent}`,
    `01-${rest}-01-a, ${traceparent}`, `00-${rest}-01\u00e9`, `00_${rest}_01`, `'; drop table jobs; --`, "a".repeat(8_000), [traceparent, traceparent],
    [traceparent, `00-${"1".repeat(32)}-b7ad6b7169203331-01`],
  ])("%j is ignored", async (sent) => {
    expect(await passedOn(sent)).toBeNull();
  });
});

test("lines of hooks, jobs, their jobs and work after the commit have the trace id, and mails the header", async () => {
  stage.hooks.after_create = async (_, { afterCommit, jobs, log, mail }) => {
    log.info("in the hook");
    await jobs.enqueue("send-later", { text: "x", again: 1 });
    await mail.send({ to: "ann@example.org", subject: "Hi", text: "Hello" });
    afterCommit(({ log, traceparent }) => log.info({ traceparent }, "after the commit"));
  };
  await send("POST /hooked/create", { data: record });
  await service.settled();
  await queue.work();
  const lines = service.log.filter(({ level }) => Number(level) >= 30);
  expect(lines.map(({ msg }) => msg).sort()).toMatchInlineSnapshot(`
    [
      "a job of the fixture",
      "a job of the fixture",
      "after the commit",
      "in the hook",
      "job",
      "job",
      "job",
      "request",
    ]
  `);
  for (const line of lines) expect(line).toMatchObject({ trace_id: traceId, request_id: expect.any(String) });
  expect(lines.find(({ msg }) => msg === "after the commit")).toMatchObject({ traceparent });
  expect(new Set(lines.map(({ request_id }) => request_id)).size).toBeGreaterThan(1);
  expect((await smtp.next("ann@example.org")).raw).toMatch(
    new RegExp(`^traceparent: ${traceparent}\r$`, "im"),
  );
});

test("GraphQL is a request like others", async () => {
  stage.hooks.before_fetch = (_, { log }) => void log.info("in the hook");
  await send("POST /graphql", { query: "{ hooked { id } }" });
  expect(service.log.map(({ msg, trace_id }) => [msg, trace_id])).toEqual([
    ["in the hook", traceId],
    ["request", traceId],
  ]);
});

test("a call of a tool over MCP is a request like others", async () => {
  const book = await notebook();
  const authorization = `Bearer ${tokenOf(owner)}`;
  const client = await connectedWith(book, { authorization, traceparent });
  await callOf(client, "notes_count", {});
  const lines = book.log.filter(({ path }) => path === "/mcp");
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatchObject({ trace_id: traceId });
});

test("messages of the accounts carry the header too", async () => {
  await service.store(accounts([account(1)]));
  const request = { email: "user1@example.com" };
  expect((await send("POST /auth/request-reset-password", request)).status).toBe(200);
  await service.settled();
  expect((await smtp.next("user1@example.com")).raw).toContain(`${traceparent}\r\n`);
  await send("POST /auth/request-otp", { phone_number: "+12025550124" });
  expect(sms.headers.at(-1)?.["traceparent"]).toBe(traceparent);
});

test("a request without the header has no trace, and neither have its jobs and messages", async () => {
  stage.hooks.after_create = async (_, { mail, sms, log, traceparent }) => {
    log.info({ traceparent }, "in the hook");
    await mail.send({ to: "bob@example.org", subject: "Hi", text: "Hello" });
    await sms.send({ to: "+12025550125", text: "Hello" });
  };
  await send("POST /hooked/create", { data: record }, {});
  expect(await service.query("select traceparent from kirak_jobs.jobs")).toEqual([
    { traceparent: null },
    { traceparent: null },
  ]);
  await queue.work();
  expect((await smtp.next("bob@example.org")).raw).not.toMatch(/^trace/im);
  expect(Object.keys(sms.headers.at(-1) ?? {})).not.toContain("traceparent");
  expect(service.log.filter((line) => "trace_id" in line || "span_id" in line)).toEqual([]);
  expect(service.log.find(({ msg }) => msg === "in the hook")).toMatchObject({ traceparent: null });
});

test("a job takes the trace of the latest call with its key, and headers that do not belong in a row are ignored", async () => {
  stage.hooks.after_create = async (_, { jobs }) =>
    void (await jobs.enqueue("send-later", { text: "x" }, { key: "one" }));
  const later = traceparent.replace("0af", "1af");
  await send("POST /hooked/create", { data: { ...record, name: "a" } });
  await send("POST /hooked/create", { data: { ...record, name: "b" } }, { traceparent: later });
  const text = "select traceparent from kirak_jobs.jobs";
  expect(await service.query(text)).toEqual([{ traceparent: later }]);
  await service.query(`update kirak_jobs.jobs set traceparent = e'x\\r\\nBcc: a@b.c'`);
  service.log.length = 0;
  await queue.work();
  expect(service.log.map(({ msg, trace_id }) => [msg, trace_id])).toEqual([
    ["a job of the fixture", undefined],
    ["job", undefined],
  ]);
});
