import express from "express";
import { expect, test } from "vitest";
import { startTestService, type TestRequest } from "#runtime/testing/index";
import { service } from "../../http/fixture/generated/index.ts";
import { afterFile } from "../../support/after-file.ts";
import { fixtureApp } from "../../support/temporary-folder.ts";

/** Echoes the request. */
function createApp(): express.Express {
  const app = express();
  app.all("/echo", express.raw({ type: () => true }), ({ method, headers, body }, response) => {
    const text = Buffer.isBuffer(body) ? body.toString("latin1") : null;
    const { authorization = null, "content-type": type = null } = headers;
    response.status(202).json({ data: { method, authorization, type, text } });
  });
  app.get("/moved", (_, response) => response.redirect("/echo"));
  app.get("/bytes", (_, response) => void response.type("image/png").end(Buffer.from([137, 0, 255])));
  app.get("/problem", (_, response) => void response.type("application/problem+json").end('{"title":"no"}'));
  app.get("/wrong", (_, response) => void response.type("application/json").end("{"));
  return app;
}

const app = await startTestService(service, { root: fixtureApp(), createApp });
afterFile(() => app.stop());

const echo = async (request?: TestRequest) => (await app.request("/echo", request)).body.data;
const form = new FormData();
form.set("path", "a");

// biome-ignore format: one case a line
test.each<[string, TestRequest | undefined, object]>([
  ["nothing", undefined, { method: "GET", authorization: null, type: null, text: null }],
  ["an object", { body: { a: [1, null] } }, { method: "POST", type: "application/json", text: '{"a":[1,null]}' }],
  ["null", { body: null }, { method: "POST", type: "application/json", text: "null" }],
  ["a number", { body: 7, method: "PUT" }, { method: "PUT", type: "application/json", text: "7" }],
  ["a text", { body: "{" }, { type: "text/plain;charset=UTF-8", text: "{" }],
  ["a text with the content type JSON", { body: "{", headers: { "Content-Type": "application/json" } }, { type: "application/json", text: "{" }],
  ["bytes", { body: new Uint8Array([104, 0]), method: "DELETE" }, { method: "DELETE", type: null, text: "h\0" }],
  ["a buffer", { body: Buffer.from("hi") }, { type: null, text: "hi" }],
  ["fields of a form", { body: new URLSearchParams({ a: "b c" }) }, { type: "application/x-www-form-urlencoded;charset=UTF-8", text: "a=b+c" }],
  ["a form", { body: form }, { type: expect.stringMatching(/^multipart\/form-data; boundary=/) }],
  ["a guest", { as: "guest" }, { authorization: null }],
  ["a guest", { as: null }, { authorization: null }],
  ["a token", { as: { token: "t" } }, { authorization: "Bearer t" }],
  ["a header of its own", { as: "admin", headers: { authorization: "x" } }, { authorization: "x" }],
])("sends %s", async (_, request, expected) => {
  expect(await echo(request)).toMatchObject(expected);
});

test("answers are as they came: status, headers, JSON, text and bytes", async () => {
  const moved = await app.request("/moved");
  expect([moved.status, moved.headers.get("location"), moved.body]).toEqual([302, "/echo", {}]);
  expect((await app.request("/bytes")).bytes).toEqual(new Uint8Array([137, 0, 255]));
  expect(await app.request("/problem")).toMatchObject({ body: { title: "no" }, text: '{"title":"no"}' });
  expect((await app.request(`${app.url}/echo`)).status).toBe(202);
  expect(await app.request("/echo", { method: "HEAD" })).toMatchObject({ status: 202, body: {}, text: "" });
  await expect(app.request("/wrong")).rejects.toThrow(SyntaxError);
});

// biome-ignore format: one case a line
test.each([
  ["echo", 'the path of a request must begin with a slash, not "echo"'],
  ["https://example.com/", 'the path of a request must begin with a slash, not "https://example.com/"'],
])("%s is not a path", async (path, message) => {
  await expect(app.request(path)).rejects.toThrow(message);
});

test.each([
  ["guest", "a guest has no token: send a request without one"],
  ["signed_in", '"signed_in" stands for several roles'],
  ["self", '"self" stands for the owner of the account'],
])("%s has no token", (role, message) => {
  expect(() => app.token({ role })).toThrow(message);
});

const root = fixtureApp({ email: { provider: "log" } });
const plain = await startTestService(service, { root });
afterFile(() => plain.stop());

const ran = () => plain.log.filter(({ msg }) => msg === "a job of the fixture").length;

test("runs what is due, with the jobs that it sends, and nothing before the call", async () => {
  await plain.jobs.enqueue("send-later", { text: "a", again: 3 });
  await plain.settled();
  expect(ran()).toBe(0);
  await plain.runJobs();
  expect(ran()).toBe(4);
  await plain.runJobs();
  expect(ran()).toBe(4);
});

test("jobs that are scheduled for later run if the test looks ahead", async () => {
  const before = ran();
  const inAnHour = new Date(Date.now() + 3_600_000);
  await plain.jobs.enqueue("send-later", { text: "a" }, { run_at: inAnHour });
  await plain.runJobs();
  expect(ran()).toBe(before);
  await plain.runJobs({ ahead: true });
  expect(ran()).toBe(before + 1);
});

test("a payload that does not fit is refused", async () => {
  await expect(Reflect.apply(plain.jobs.enqueue, plain.jobs, ["send-later", {}])).rejects.toThrow(
    "the job send-later cannot be sent: payload.text is required",
  );
});

test("a failed job is reported after the others have run", async () => {
  const before = ran();
  await plain.jobs.enqueue("send-later", { text: "a" });
  await plain.database.query("update kirak_jobs.jobs set payload = '{}', run_at = now() - interval '1 hour'");
  await plain.jobs.enqueue("send-later", { text: "b" });
  await expect(plain.runJobs()).rejects.toThrow(
    /^the job send-later failed, attempt 2 of 2: its payload is invalid: text is required$/,
  );
  expect(ran()).toBe(before + 1);
  // Once, for any number of remaining attempts.
  await plain.runJobs();
});
