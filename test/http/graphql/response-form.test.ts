import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import { tree } from "../../support/graphql-library.ts";
import { limited } from "../../support/limited-service.ts";
import { type Reply, requestOf, type Sent } from "../../support/request.ts";
import { type TestService, testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";
import { type StagedHooks, stage } from "../fixture/stage.ts";

// GraphQL over HTTP, for callers who name its media type: the same status and headers as the envelope, and the same content.
const mediaType = "application/graphql-response+json";
const cors = { origins: ["https://app.example.com"], allowOriginRegex: null };
const service = await testService({ cors });
const counting = await testService(limited({ rateLimit: { defaultMaxRequests: 1 } }));

beforeEach(() => service.store({ ...tree, hooked: [{ id: 1, name: "one", number: 1, code: "c" }] }));
afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

interface Asked extends Partial<Sent> {
  readonly as?: Caller;
  readonly query?: string;
}

/** The answers to the same request, in the envelope and in the form of GraphQL over HTTP. */
async function both(
  { query, as = null, headers, ...sent }: Asked,
  { send }: Pick<TestService, "send"> = service,
): Promise<{ readonly plain: Reply; readonly named: Reply }> {
  const request = {
    method: "POST",
    path: "/graphql",
    body: query === undefined ? undefined : { query },
    ...sent,
  };
  const [plain, named] = [
    await send({ ...request, headers }, as),
    await send({ ...request, headers: { ...headers, accept: `${mediaType}, application/json;q=0.9` } }, as),
  ];
  expect(plain.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(named.headers["content-type"]).toBe(`${mediaType}; charset=utf-8`);
  expect(named.status).toBe(plain.status);
  expect(comparable(named)).toEqual(comparable(plain));
  return { plain, named };
}

/** Headers, without those that belong to a body or to one request. */
function comparable({ headers }: Reply): object {
  const own = ["content-type", "content-length", "x-request-id", "date"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
}

/** Both forms have the same error, from any part of the service. `path` is the root field. */
async function expectRefused(
  asked: Asked,
  refusal: string,
  path?: string,
  from?: TestService,
): Promise<Reply> {
  const { plain, named } = await both(asked, from);
  const { statusCode, error: code, message, details } = plain.envelope;
  expect(`${statusCode} ${code}`, plain.text).toBe(refusal);
  const extensions = { code, statusCode, ...(details !== undefined && { details }) };
  const error = { message, ...(path !== undefined && { path: [path] }), extensions };
  expect(JSON.parse(named.text)).toStrictEqual({ errors: [error] });
  return named;
}

describe("a success", () => {
  test("is only the data, in the same bytes", async () => {
    const { plain, named } = await both({
      query: "{ folders(id: 1) { name } all: folders_aggregate { count } }",
    });
    const data = /"data":(\{.*\})\}$/.exec(plain.text)?.[1];
    expect(named.text).toBe(`{"data":${data}}`);
    expect(named.headers["content-length"]).toBe(String(Buffer.byteLength(named.text)));
  });

  test("of a mutation, with what after_graphql made of the envelope", async () => {
    const plays: StagedHooks = {
      after_graphql: (envelope) => ({
        ...envelope,
        message: "changed",
        data: { of: Object.keys(envelope).join() },
      }),
    };
    stage.hooks = plays;
    const { plain, named } = await both({
      query: 'mutation { updateFolders(where: { id: 1 }, input: { name: "n" }) { name } }',
      as: "admin",
    });
    expect(plain.envelope).toMatchObject({
      message: "changed",
      data: { of: "statusCode,status,message,data" },
    });
    expect(named.text).toBe('{"data":{"of":"statusCode,status,message,data"}}');
  });
});

describe("who refuses", () => {
  const query = "{ folders { id } }";
  const bearer = { authorization: "Bearer x" };
  const json = { "content-type": "application/json" };
  const missing = "{ a: folders { id } b: folders { nothing } }";

  // biome-ignore format: one case a line
  test.each<[string, Asked, refusal: string, path?: string]>([
    ["the method", { method: "GET", path: `/graphql?query=${encodeURIComponent(query)}` }, "405 HTTP_ERROR"],
    ["the credential", { query, headers: bearer }, "401 INVALID_TOKEN"],
    ["the media type", { body: query, headers: { "content-type": "application/graphql" } }, "415 HTTP_ERROR"],
    ["the size", { query: `{ ${"x".repeat(service.config.server.bodyLimitBytes)} }` }, "413 HTTP_ERROR"],
    ["JSON", { body: "{", headers: json }, "400 VALIDATION_ERROR"],
    ["the body", { body: { query, nonsense: 1 } }, "400 VALIDATION_ERROR"],
    ["the syntax", { query: "{" }, "400 VALIDATION_ERROR"],
    ["introspection", { query: "{ __schema { types { name } } }" }, "403 PERMISSION_DENIED"],
    ["the catalogue", { query: "{ __typename n: nothing { id } }" }, "404 NOT_FOUND", "n"],
    ["a selection", { query: missing }, "400 VALIDATION_ERROR", "b"],
    ["access", { query: "{ folders { id } tasks { id } }" }, "403 PERMISSION_DENIED", "tasks"],
    ["a variable", { body: { query: "query ($n: Int!) { folders(limit: $n) { id } }" } }, "400 VALIDATION_ERROR"],
    ["a mutation",
      { query: 'mutation { a: createFolders(input: { name: "n" }) b: updateFolders(where: { id: 99 }, input: { name: "m" }) }', as: "admin" },
      "404 NOT_FOUND", "b"],
  ])("%s", async (_, asked, refusal, path) => {
    await expectRefused(asked, refusal, path);
  });

  test("the method says which it is, and HEAD gets no body", async () => {
    const { headers } = await expectRefused({ method: "GET" }, "405 HTTP_ERROR");
    expect(headers["allow"]).toBe("POST");
    const head = await service.send({ method: "HEAD", path: "/graphql", headers: { accept: mediaType } });
    expect([head.status, head.text, head.headers["content-type"]]).toEqual([
      405,
      "",
      `${mediaType}; charset=utf-8`,
    ]);
  });

  test("a limit", async () => {
    const asked = { query: "{ __typename f: folders { id } }" };
    await counting.send({ method: "POST", path: "/graphql", body: { query } });
    const { headers } = await expectRefused(asked, "429 RATE_LIMIT_EXCEEDED", "f", counting);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  });

  test("a hook, in its own words and with its own headers", async () => {
    const headers = { "Retry-After": "7" };
    const refuse = () => {
      throw new ServiceError("HTTP_ERROR", "later", { when: ["soon"] }, { status: 503, headers });
    };
    stage.hooks = { before_graphql: refuse };
    expect((await expectRefused({ query }, "503 HTTP_ERROR")).headers["retry-after"]).toBe("7");
    stage.hooks = { before_fetch: refuse };
    await expectRefused({ query: "{ folders { id } h: hooked { id } }" }, "503 HTTP_ERROR", "h");
    stage.hooks = { after_graphql: refuse };
    await expectRefused({ query: "{ hooked { id } }" }, "503 HTTP_ERROR");
  });

  test("a hook that breaks, or whose refusal cannot be answered", async () => {
    stage.hooks = {
      before_fetch: () => {
        throw new Error("secret");
      },
    };
    const broken = await expectRefused({ query: "{ hooked { id } }" }, "500 INTERNAL_ERROR", "hooked");
    expect(broken.text).not.toContain("secret");
    expect(service.log.at(-1)).toMatchObject({ err: { message: "secret" }, error: "INTERNAL_ERROR" });
    stage.hooks = {
      before_graphql: () => {
        throw new ServiceError("NOT_FOUND", "odd", { size: 1n });
      },
    };
    await expectRefused({ query }, "500 INTERNAL_ERROR");
  });

  // biome-ignore format: one case a line
  test.each<[table: string, refusal: string, asked: Asked, path?: string]>([
    ["auth_token_blacklist", "503 AUTH_UNAVAILABLE", { query, as: "user" }],
    ["folders", "500 DATABASE_ERROR", { query: "{ things { id } all: folders { id } }" }, "all"],
    ["folders", "500 DATABASE_ERROR", { query: 'mutation { a: createFolders(input: { name: "n" }) }', as: "admin" }, "a"],
  ])("a database without %s: %s", async (table, refusal, asked, path) => {
    await service.query(`ALTER TABLE "${table}" RENAME TO hidden`);
    try {
      await expectRefused(asked, refusal, path);
    } finally {
      await service.query(`ALTER TABLE hidden RENAME TO "${table}"`);
    }
  });
});

describe("for everybody else the envelope stays", () => {
  test.each(["*/*", "application/json", `${mediaType};q=0.5, */*`, "text/html"])("%s", async (accept) => {
    const send = (headers: object) =>
      service.send({
        ...requestOf("POST /graphql", { query: "{ folders { id } }" }),
        headers: { ...headers },
      });
    expect((await send({ accept })).text).toBe((await send({})).text);
  });

  test("and on every other path", async () => {
    const headers = { accept: mediaType };
    for (const path of ["/graphql/", "/folders/fetch", "/nothing", "/healthz"]) {
      const reply = await service.send({ method: "GET", path, headers });
      expect(reply.headers["content-type"], path).toBe("application/json; charset=utf-8");
      expect(reply.headers["vary"], path).toBe("Origin");
    }
  });

  test("the Vary header has it, in addition to the origin", async () => {
    const send = (headers: Record<string, string>) =>
      service.send({ method: "GET", path: "/graphql", headers });
    for (const headers of [{}, { accept: mediaType, origin: "https://app.example.com" }])
      expect((await send(headers)).headers["vary"]).toBe("Accept, Origin");
  });
});
