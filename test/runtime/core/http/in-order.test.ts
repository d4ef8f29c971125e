import type { ErrorRequestHandler, RequestHandler } from "express";
import { expect, test } from "vitest";
import { compose, onPaths } from "#runtime/core/http/answer";
import { serveApplication } from "../../../support/application.ts";

/** Goes on, and leaves its name in the answer. */
const step =
  (name: string, goOn: (next: () => void) => void = (next) => next()): RequestHandler =>
  (_request, response, next) => {
    response.append("Steps", name);
    goOn(next);
  };

const failure = new Error("no");
const tell: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(500).end(error === failure ? "the failure" : "another");
};

/** What an application with these handlers in order answers, and which of them were called. */
async function ask(
  handlers: readonly RequestHandler[],
  path = "/",
): Promise<[body: string, steps: string | null]> {
  const { origin } = await serveApplication((application) => {
    application.use(compose(...handlers));
    application.use((_request, response) => void response.end("behind"));
    application.use(tell);
  });
  const response = await fetch(origin + path);
  return [await response.text(), response.headers.get("steps")];
}

test("each is called by the one before it, at once or later, and the last one calls the next handler of Express", async () => {
  const later = (next: () => void) => void setImmediate(next);
  expect(await ask([step("a"), step("b", later), step("c")])).toEqual(["behind", "a, b, c"]);
  expect(await ask([])).toEqual(["behind", null]);
});

test.each([undefined, null, false])(
  "values that Express does not treat as errors are not errors: %s",
  async (given) => {
    const goOn: RequestHandler = (_request, _response, next) => next(given);
    expect(await ask([step("a"), goOn, step("c")])).toEqual(["behind", "a, c"]);
  },
);

test("a rejection without a reason is a failure", async () => {
  expect(await ask([() => Promise.reject(), step("b")])).toEqual(["another", null]);
});

test("where one answers, those behind it are not called", async () => {
  const answer: RequestHandler = (_request, response) => void response.end("answered");
  expect(await ask([step("a"), answer, step("c")])).toEqual(["answered", "a"]);
});

// biome-ignore format: one case a line
test.each<[string, RequestHandler]>([
  ["is handed on", (_request, _response, next) => next(failure)],
  ["is handed on later", (_request, _response, next) => void setImmediate(() => next(failure))],
  ["is thrown", () => { throw failure; }],
  ["rejects a promise", () => Promise.reject(failure)],
])(
  "an error that %s is for who handles errors, whenever that is, and those behind are not called",
  async (_, fail) => {
    expect(await ask([step("a"), fail, step("c")])).toEqual(["the failure", "a"]);
    const later: RequestHandler = (_request, _response, next) => void setImmediate(next);
    expect(await ask([later, fail, step("c")])).toEqual(["the failure", null]);
  },
);

test.each([
  ["/one", "here"],
  ["/one?x=/two", "here"],
  ["/two", "here"],
  ["/One", null],
  ["/one/", null],
  ["/one/more", null],
  ["/other?/one", null],
  ["/", null],
])("a handler of /one and /two is called only for them: %s", async (path, steps) => {
  expect(await ask([onPaths(["/one", "/two"], step("here"))], path)).toEqual(["behind", steps]);
});
