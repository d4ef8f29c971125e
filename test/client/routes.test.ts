import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { project } from "../generator/support/project.ts";
import routes from "../http/custom-routes/described-routes.ts";
import { service as fixture } from "../http/fixture/generated/index.ts";
import { clientModule } from "../support/client.ts";
import { frontOf } from "../support/front.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";

const { write, generate, read } = project({ notes: { fields: {}, access: { fetch: [{ role: "*" }] } } });
const source = (path: string) => readFileSync(new URL(`../http/${path}`, import.meta.url), "utf8");
write("models/routes/described.ts", source("custom-routes/described-routes.ts"));
write("models/errors.json", JSON.parse(source("fixture/errors.json")));
expect((await generate()).exitCode).toBe(0);

const service = await testService({}, { served: { ...fixture, routes } });
const front = await frontOf(service.origin);
const { createClient } = await clientModule(JSON.parse(read("generated/openapi.json")));
const at = createClient({ url: front.url, token: tokenOf("staff"), retries: 0 }).routes;

beforeEach(() => front.reset());

function route(name: string) {
  const method = at[name];
  if (method === undefined) throw new Error(`the client lacks ${name}: it has ${Object.keys(at)}`);
  return method;
}

test("parameters are in the path, the query and the body", async () => {
  const query = { ids: [1, 2], flag: true, word: undefined };
  const params = { id: 7, day: "2026-01-01" };
  expect(await route("getTypedByIdByDay")({ params, query })).toMatchObject({ id: 7, ids: [1, 2] });
  expect(decodeURIComponent(front.lines()[0] ?? "")).toBe("GET /typed/7/2026-01-01?ids=[1,2]&flag=true");
  expect(params).toEqual({ id: 7, day: "2026-01-01" });
  expect(await route("postLines")({ body: { lines: [{ id: 1 }] } })).toEqual({ count: 1 });
  expect(await route("putImported")({ query: { any: "1" }, body: { seats: 2 } })).toEqual({ seats: 2 });
});

test("a declared name is the method; options come second", async () => {
  expect(await route("dropPlain")({ params: { id: "7" } }, { headers: { "x-one": "1" } })).toBeNull();
  expect(front.arrived[0]).toMatchObject({ method: "DELETE", path: "/plain/7", headers: { "x-one": "1" } });
});

test("a value of the path is one segment", async () => {
  expect(await route("getPlainById")({ params: { id: "a/b?c#d é" } })).toBe("a/b?c#d é");
});

test.each([".", "..", "", undefined])("%j cannot be a segment: it throws at once", (id) => {
  expect(() => route("getPlainById")({ params: { id } })).toThrow(TypeError);
  expect(front.arrived).toEqual([]);
});

test("a raw body is sent as it is", async () => {
  const bytes = new TextEncoder().encode("abc");
  expect(await route("postBytes")({ body: "{}" })).toBe(2);
  expect(await route("postBytes")({ body: bytes })).toBe(3);
  expect(await route("postBytes")({ body: new Blob(["abcd"], { type: "text/csv" }) })).toBe(4);
  expect(front.arrived[2]?.headers["content-type"]).toBe("text/csv");
  expect(await route("postBytes")({ body: new Blob(["abcde"]).stream() })).toBe(5);
});

test("a stream is not sent twice", async () => {
  front.play({ status: 429, headers: { "retry-after": "0" } });
  const client = createClient({ url: front.url });
  const call = client.routes["postBytes"]?.({ body: new Blob(["abc"]).stream() });
  await expect(call).rejects.toMatchObject({ status: 429 });
  expect(front.arrived).toHaveLength(1);
});

test("an answer that is not JSON is the Response; its failures are errors as others", async () => {
  const answer: unknown = await route("getExportCsv")();
  expect(answer).toBeInstanceOf(Response);
  if (!(answer instanceof Response)) return;
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/csv"),
  ]);
  expect(await answer.text()).toBe("a,b");
  await expect(route("getExportCsv")({ query: { empty: "maybe" } })).rejects.toMatchObject({
    error: "VALIDATION_ERROR",
  });
});

test("an abort reaches the body of a Response", async () => {
  const controller = new AbortController();
  const answer: unknown = await route("getExportCsv")({}, { signal: controller.signal });
  controller.abort();
  if (answer instanceof Response) await expect(answer.text()).rejects.toThrow();
});

test("an error of the app has its code, and a redirect is refused", async () => {
  const call = route("postFailsByCode")({ params: { code: "slot" } });
  await expect(call).rejects.toMatchObject({ error: "SLOT_TAKEN", status: 409 });
  await expect(route("postAway")()).rejects.toMatchObject({ error: "NETWORK_ERROR" });
});
