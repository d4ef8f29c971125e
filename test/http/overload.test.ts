import { afterEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { bodyOf } from "../support/graphql.ts";
import { monitoredService } from "../support/monitoring.ts";
import { newRequestId, traceOf } from "../support/recorded.ts";
import { requestOf, type Sent } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";

const mediaType = "application/graphql-response+json";
const origin = "https://app.example.com";

const calm = 250;
const late = 251;
let delayMs = calm;
const service = await monitoredService(
  {},
  { cors: { origins: [origin], allowOriginRegex: null }, server: { maxEventLoopDelayMs: calm } },
  { eventLoopDelayMs: () => delayMs },
);
afterEach(() => {
  delayMs = calm;
});

const creating: Sent = { method: "POST", path: "/notes/create", body: { data: { body: "x" } } };

test("a request beyond the threshold is refused in the envelope, with its id, and nothing has happened", async () => {
  await service.store({});
  delayMs = late;
  const reply = await service.send({ ...creating, headers: { "x-request-id": "mine", origin } }, "admin");
  expect(outcome(reply)).toBe("503 HTTP_ERROR");
  expect(reply.headers).toMatchObject({
    "retry-after": "1",
    "x-request-id": "mine",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": origin,
  });
  expect(reply.envelope.message).toBe("The service is overloaded right now.");
  expect(await service.query("SELECT FROM notes")).toEqual([]);
  delayMs = calm;
  expect(outcome(await service.send(creating, "admin"))).toBe("200");
});

test("a refusal is one line of the log and one record", async () => {
  const id = newRequestId();
  delayMs = late;
  await service.send({ method: "GET", path: "/things/fetch", headers: { "x-request-id": id } });
  const line = await eventually(() => {
    const lines = service.log.filter(({ request_id }) => request_id === id);
    expect(lines).toHaveLength(1);
    return lines[0];
  });
  expect(line).toMatchObject({ status: 503, error: "HTTP_ERROR" });
  expect(line).not.toHaveProperty("err");
  expect((await traceOf(service, id)).request).toMatchObject({ status: 503, error: "HTTP_ERROR" });
});

test("GraphQL refuses in the form that its caller names", async () => {
  const body = bodyOf("{ things { id } }");
  delayMs = late;
  const reply = await service.send({ ...requestOf("POST /graphql", body), headers: { accept: mediaType } });
  expect([reply.status, reply.headers["content-type"]]).toEqual([503, `${mediaType}; charset=utf-8`]);
  expect(JSON.parse(reply.text).errors).toMatchObject([{ extensions: { code: "HTTP_ERROR" } }]);
});

test.each([
  ["/healthz", "200"],
  ["/readyz", "200"],
  ["/monitoring/ping", "200"],
  ["/monitoring/summary?window_seconds=3600", "401 MISSING_TOKEN"],
  ["/monitoring-of-things", "503 HTTP_ERROR"],
  ["/monitorin", "503 HTTP_ERROR"],
  ["/things/fetch", "503 HTTP_ERROR"],
  ["/auth/social/providers", "503 HTTP_ERROR"],
])("beyond the threshold %s answers %s", async (path, expected) => {
  delayMs = late;
  expect(outcome(await service.send({ method: "GET", path }))).toBe(expected);
});
