import { beforeEach, expect, test } from "vitest";
import { testLoop } from "../support/event-loop.ts";
import { eventually } from "../support/eventually.ts";
import { bodyOf } from "../support/graphql.ts";
import { monitoredService } from "../support/monitoring.ts";
import { newRequestId, traceOf } from "../support/recorded.ts";
import type { Reply, Sent } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";

const mediaType = "application/graphql-response+json";
const origin = "https://app.example.com";

/** Time goes on, and turns end, when a test says so. */
const loop = testLoop();
let refusals = 0;
/** So many a turn lets in of those that wait, while the database refuses others. */
const fewest = 4;
const service = await monitoredService(
  {},
  { cors: { origins: [origin], allowOriginRegex: null } },
  { loop, watch: (database) => ({ ...database, refusals: () => ({ connections: refusals, shares: 0 }) }) },
);

const fetching: Sent = { method: "GET", path: "/things/fetch" };
const creating: Sent = { method: "POST", path: "/notes/create", body: { data: { body: "x" } } };

beforeEach(() => service.store({}));

/** Sends a request to a turn that lets nobody in any more. It stands in the line then. */
async function sendToLine(sent: Sent): Promise<{ readonly reply: Promise<Reply> }> {
  const asked = loop.asked();
  const reply = service.send(sent, "admin");
  await eventually(() => expect(loop.asked()).toBeGreaterThan(asked));
  return { reply };
}

/** Begins a turn, which has no time any more. */
async function beginTurn(): Promise<void> {
  expect(outcome(await service.send(fetching))).toBe("200");
  loop.pass(3);
}

/** Ends a turn in which the database has refused somebody. */
function endCrowdedTurn(): void {
  loop.pass(25);
  refusals++;
  loop.endTurn();
}

/** Sends a request that stands behind those that are let in. */
async function sendTooMuch(sent: Sent): Promise<Reply> {
  for (let turn = 0; turn < 3; turn++) {
    await beginTurn();
    endCrowdedTurn();
  }
  await beginTurn();
  const letIn: Promise<Reply>[] = [];
  while (letIn.length < fewest) letIn.push((await sendToLine(fetching)).reply);
  const { reply } = await sendToLine(sent);
  endCrowdedTurn();
  expect((await Promise.all(letIn)).map(outcome)).toEqual(Array(fewest).fill("200"));
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
  await beginTurn();
  const { reply } = await sendToLine(fetching);
  loop.pass(10_000);
  for (const path of ["/healthz", "/readyz", "/monitoring/ping"])
    expect([path, outcome(await service.send({ method: "GET", path }))]).toEqual([path, "200"]);
  expect(outcome(await service.ask("GET /summary?window_seconds=3600"))).toBe("200");
  loop.endTurn();
  expect(outcome(await reply)).toBe("200");
});

test("what only looks like that is not", async () => {
  const reply = await sendTooMuch({ method: "GET", path: "/monitoring-of-things" });
  expect(outcome(reply)).toBe("503 HTTP_ERROR");
});

test("all is served again once nobody waits", async () => {
  expect(outcome(await sendTooMuch(creating))).toBe("503 HTTP_ERROR");
  expect(outcome(await service.send(creating, "admin"))).toBe("200");
});
