import { afterEach, beforeEach, expect, test } from "vitest";
import { testLoop } from "../support/event-loop.ts";
import { eventually } from "../support/eventually.ts";
import { bodyOf } from "../support/graphql.ts";
import { monitoredService } from "../support/monitoring.ts";
import { newRequestId, traceOf } from "../support/recorded.ts";
import type { Reply, Sent } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";

const mediaType = "application/graphql-response+json";
const origin = "https://app.example.com";

/** Time goes on; turns end when a test says so. */
const loop = testLoop(() => performance.now());
let room = 1_000;
const service = await monitoredService(
  {},
  { cors: { origins: [origin], allowOriginRegex: null } },
  { loop, watch: (database) => ({ ...database, room: () => room }) },
);

const fetching: Sent = { method: "GET", path: "/things/fetch" };
const creating: Sent = { method: "POST", path: "/notes/create", body: { data: { body: "x" } } };

beforeEach(async () => {
  await service.store({});
  room = 0;
});

afterEach(() => {
  room = 1_000;
  loop.endTurn();
});

/** Sends a request to a process that had no time for it for a while, and ends the turn. */
async function sendTooMuch(sent: Sent): Promise<Reply> {
  const id = newRequestId();
  const reply = service.send({ ...sent, headers: { "x-request-id": id, ...sent.headers } }, "admin");
  await eventually(() => expect(loop.isWatched()).toBe(true));
  loop.pass(25);
  loop.endTurn();
  return reply;
}

test("who is too many is told so in the envelope, with the id of the request, and nothing has happened", async () => {
  const reply = await sendTooMuch({ ...creating, headers: { "x-request-id": "mine", origin } });
  expect(outcome(reply)).toBe("503 HTTP_ERROR");
  expect(reply.headers).toMatchObject({
    "retry-after": "1",
    "x-request-id": "mine",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": origin,
  });
  expect(reply.envelope.message).toBe("The service has more to do than it can right now.");
  expect(await service.query("SELECT FROM notes")).toEqual([]);
});

test("it is one line of the log and one record, as any other refusal", async () => {
  const id = newRequestId();
  await sendTooMuch({ ...fetching, headers: { "x-request-id": id } });
  room = 1_000;
  const line = await eventually(() => {
    const lines = service.log.filter(({ request_id }) => request_id === id);
    expect(lines).toHaveLength(1);
    return lines[0];
  });
  expect(line).toMatchObject({ status: 503, error: "HTTP_ERROR" });
  expect(line).not.toHaveProperty("err");
  expect((await traceOf(service, id)).request).toMatchObject({ status: 503, error: "HTTP_ERROR" });
});

test("GraphQL says it in the form that its caller names", async () => {
  const body = bodyOf("{ things { id } }");
  const reply = await sendTooMuch({ method: "POST", path: "/graphql", body, headers: { accept: mediaType } });
  expect([reply.status, reply.headers["content-type"]]).toEqual([503, `${mediaType}; charset=utf-8`]);
  expect(JSON.parse(reply.text).errors).toMatchObject([{ extensions: { code: "HTTP_ERROR" } }]);
});

test("whoever looks after the service is served meanwhile", async () => {
  const waiting = service.send(fetching);
  await eventually(() => expect(loop.isWatched()).toBe(true));
  loop.pass(10_000);
  for (const path of ["/healthz", "/readyz", "/monitoring/ping"])
    expect([path, outcome(await service.send({ method: "GET", path }))]).toEqual([path, "200"]);
  expect(outcome(await service.ask("GET /summary?window_seconds=3600"))).toBe("200");
  loop.endTurn();
  expect(outcome(await waiting)).toBe("503 HTTP_ERROR");
});

test("what only looks like that is not", async () => {
  const reply = await sendTooMuch({ method: "GET", path: "/monitoring-of-things" });
  expect(outcome(reply)).toBe("503 HTTP_ERROR");
});

test("once there is room all is served again", async () => {
  expect(outcome(await sendTooMuch(creating))).toBe("503 HTTP_ERROR");
  room = 1_000;
  expect(outcome(await service.send(creating, "admin"))).toBe("200");
});
