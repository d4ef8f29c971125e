import { expect, test } from "vitest";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService({ servicePrefix: "/v1" });

test.each([
  ["/v1/things/fetch", "200"],
  ["/v1/things/fetch?limit=1", "200"],
  ["/v1/thing%73/fetch", "200"],
  ["/things/fetch", "404 NOT_FOUND"],
  ["/v1things/fetch", "404 NOT_FOUND"],
  ["/v1-things/fetch", "404 NOT_FOUND"],
  ["/V1/things/fetch", "404 NOT_FOUND"],
  ["/v1/v1/things/fetch", "404 NOT_FOUND"],
  ["/v1//things/fetch", "404 NOT_FOUND"],
  ["/v1?x=/things/fetch", "404 NOT_FOUND"],
  ["/healthz", "200"],
  ["/v1/healthz", "404 NOT_FOUND"],
])("the routes of models lie below the prefix, and nothing else does: %s", async (path, expected) => {
  await service.store({});
  expect(outcome(await service.send({ method: "GET", path }))).toBe(expected);
});

test("their lines of the log name the route with it", async () => {
  await service.send({ method: "GET", path: "/v1/things/fetch", headers: { "x-request-id": "prefixed" } });
  expect(service.log.filter(({ request_id }) => request_id === "prefixed")).toMatchObject([
    { path: "/v1/things/fetch", status: 200 },
  ]);
});
