import { expect, test } from "vitest";
import { createServer } from "#runtime/index";
import { serveApplication } from "../support/application.ts";
import { testService } from "../support/service.ts";
import { silent } from "../support/silent-log.ts";
import { service as fixture } from "./fixture/generated/index.ts";
import { routes } from "./own-routes/routes.ts";

// What the service has no route for goes on to the application around it.
const served = { ...fixture, routes };
const { config, pool: database } = await testService();

/** What a path answers in an application that has the service in front of its own. */
async function answerOf(path: string): Promise<Response> {
  const { origin } = await serveApplication((outer) => {
    outer.use(createServer(served, { config, database, log: silent, passUnknown: true }));
    outer.use((request, response) => void response.json({ theirs: request.url }));
  });
  return fetch(`${origin}${path}`);
}

test.each([
  "/no/such/path",
  "/things/nothing",
  // No text, and one with a NUL character: at the root, below a model, and where a route of one's own has a name.
  "/%E0%A4%A",
  "/a%00",
  "/things/%E0%A4%A",
  "/%/fetch",
  "/things/%/ring",
  "/typed/1%00/2026-01-31",
])("%s goes on", async (path) => {
  const response = await answerOf(path);
  expect(await response.json()).toEqual({ theirs: path });
  expect(response.headers.get("x-frame-options")).toBe("SAMEORIGIN");
});

test.each([
  ["/things/count", 200],
  ["/healthz", 200],
  ["/open", 200],
  ["/things/count?%E0%A4%A=1", 400],
  ["/auth/me", 401],
])("%s is the service's, and answers %i", async (path, status) => {
  const response = await answerOf(path);
  expect(response.status).toBe(status);
  expect(await response.json()).not.toHaveProperty("theirs");
});
