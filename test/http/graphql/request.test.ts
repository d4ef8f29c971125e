import { auditServer } from "graphql-http";
import { afterEach, describe, expect, test } from "vitest";
import { sendGraphql } from "../../support/graphql.ts";
import { tree } from "../../support/graphql-library.ts";
import { expectEnvelope, outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { signed } from "../../support/service-token.ts";

const service = await testService();
const prefixed = await testService({ servicePrefix: "/api" });

const json = { "content-type": "application/json" };
const invalid = "400 VALIDATION_ERROR";
const query = "{ folders(id: 1) { name } }";
const data = { folders: [{ name: "root" }] };
const posted = (name: string, body: Scenario["body"], more: Partial<Scenario> = {}): Scenario => ({
  name,
  given: tree,
  send: "POST /graphql",
  body,
  ...more,
});

describe("bodies", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    posted("a query", { query }, { data }),
    posted("empty variables", { query, variables: {} }, { data }),
    posted("null in what is optional", { query, variables: null, operationName: null }, { data }),
    posted("no name of an operation, as some clients send it", { query, operationName: "" }, { data }),
    posted("extensions are taken, and have no effect", { query, extensions: { a: 1 } }, { data }),
    posted("JSON with a charset", JSON.stringify({ query }), { headers: { "content-type": "application/json; charset=utf-8" }, data }),
    posted("no query", {}, { fails: `${invalid} query` }),
    posted("no body", undefined, { fails: `${invalid} query` }),
    posted("null", { query: null }, { fails: `${invalid} query` }),
    posted("a number", { query: 1 }, { fails: `${invalid} query` }),
    posted("a list", { query: [query] }, { fails: `${invalid} query` }),
    posted("a list of variables", { query, variables: [] }, { fails: `${invalid} variables` }),
    posted("variables as text", { query, variables: "{}" }, { fails: `${invalid} variables` }),
    posted("an invalid name", { query, operationName: 1 }, { fails: `${invalid} operationName` }),
    posted("an unknown key", { query, nonsense: 1 }, { fails: `${invalid} nonsense` }),
    posted("a key in another case", { Query: query }, { fails: `${invalid} Query` }),
    posted("__proto__", '{"__proto__":{"query":"{ folders { id } }"}}', { headers: json, fails: `${invalid} __proto__` }),
    posted("a batch", [{ query }], { fails: invalid }),
    posted("a text", JSON.stringify(query), { headers: json, fails: invalid }),
    posted("no JSON", query, { headers: json, fails: invalid }),
    posted("half of it", '{"query":', { headers: json, fails: invalid }),
    posted("a NUL in a variable", { query, variables: { a: "\u0000" } }, { fails: invalid }),
    posted("a NUL in a key of a variable", { query, variables: { a: { "\u0000": 1 } } }, { fails: invalid }),
    posted("65 levels", `{"query":"${query}","variables":{"a":${"[".repeat(63)}${"]".repeat(63)}}}`, { headers: json, fails: invalid }),
    ...["application/graphql", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"].map(
      (type) => posted(type, query, { headers: { "content-type": type }, fails: "415 HTTP_ERROR" }),
    ),
    posted("no type at all", Buffer.from(JSON.stringify({ query })), { fails: "415 HTTP_ERROR" }),
    posted("too much", { query, variables: { a: "x".repeat(100_000) } }, { fails: "413 HTTP_ERROR" }),
    posted("a query string has no effect", { query }, { send: "POST /graphql?query={nothing{id}}", data }),
    { send: "GET /graphql?query={folders{id}}", fails: "405 HTTP_ERROR" },
    ...["/graphql/", "/GraphQL", "/graphql/x", "/things/graphql", "/api/graphql"].map((path) =>
      posted(path, { query }, { send: `POST ${path}`, fails: "404 NOT_FOUND" }),
    ),
  ]);

  scenarios(prefixed, [
    posted("under the prefix", { query }, { send: "POST /api/graphql", data }),
    posted("not next to it", { query }, { fails: "404 NOT_FOUND" }),
  ]);
});

test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE"])(
  "%s is not its method, and Allow says which is",
  async (method) => {
    const { status, headers } = await service.send({ method, path: "/graphql" });
    expect([status, headers["allow"]]).toEqual([405, "POST"]);
  },
);

describe("credentials", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    posted("a guest without any", { query }, { data }),
    posted("an invalid one is no guest", { query }, { headers: { authorization: "Bearer x" }, fails: "401 INVALID_TOKEN" }),
    posted("an expired one", { query },
      { headers: { authorization: `Bearer ${signed({ sub: "1", role: "admin", email: "", jti: "a", type: "access", iat: 1, exp: 2 })}` },
        fails: "401 TOKEN_EXPIRED" }),
    posted("before the body", "{", { headers: { ...json, authorization: "Bearer x" }, fails: "401 INVALID_TOKEN" }),
    posted("an unknown API key", { query }, { headers: { "x-api-key": "kk_x" }, fails: "401 INVALID_API_KEY" }),
  ]);

  test("what a caller with a user id gets is kept by no cache", async () => {
    await service.store(tree);
    const send = (as: string | null) =>
      service.send({ method: "POST", path: "/graphql", body: { query } }, as);
    expect((await send("user")).headers["cache-control"]).toBe("no-store");
    expect((await send(null)).headers["cache-control"]).toBeUndefined();
  });
});

describe("the envelope", () => {
  const send = (text: string) => service.send({ method: "POST", path: "/graphql", body: { query: text } });

  test("of success: these keys and no others, in this order", async () => {
    await service.store(tree);
    const { text, headers } = await send(query);
    expect(text).toMatch(
      /^\{"statusCode":200,"status":"success","message":"[^"]*GraphQL[^"]*","data":\{"folders":\[\{"name":"root"\}\]\}\}$/,
    );
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  });

  test("of failure: no errors[], no partial data, no locations", async () => {
    for (const text of [
      "{",
      "{ folders { nothing } }",
      "{ folders { id } tasks { id } }",
      "{ nothing { id } }",
    ]) {
      const reply = await send(text);
      expectEnvelope(reply);
      expect(reply.status).not.toBe(200);
      expect(reply.text).not.toMatch(/"errors":\[\{"message|locations|"path"|extensions/);
    }
  });

  test("an answer that does not fit the caller's name in the log has an id", async () => {
    const reply = await service.send({
      method: "POST",
      path: "/graphql",
      headers: { "x-request-id": "mine" },
      body: { query },
    });
    expect(reply.headers["x-request-id"]).toBe("mine");
  });

  test("texts of queries and values of variables are in no log", async () => {
    const before = service.log.length;
    const canary = "canary-of-the-log";
    const body = {
      query: `query ($n: String) { folders(name: $n) { id alias_${canary.replaceAll("-", "_")}: id } }`,
      variables: { n: canary },
    };
    expect(outcome(await service.send({ method: "POST", path: "/graphql", body }))).toBe("200");
    expect(
      outcome(await service.send({ method: "POST", path: "/graphql", body: { query: `{ ${canary}` } })),
    ).toMatch(invalid);
    expect(JSON.stringify(service.log.slice(before))).not.toMatch(/canary/);
  });

  test("has no blanks and breaks between rows, and all of those in texts", async () => {
    const name = '", \n "';
    await service.store({
      folders: [
        { id: 1, name },
        { id: 2, name: "b", parent_id: 1 },
        { id: 3, name: "c", parent_id: 1 },
      ],
    });
    const body = { query: "{ folders(orderBy: id) { name children { id } } }" };
    const { text } = await service.send({ method: "POST", path: "/graphql", body });
    const rows = `[{"name":${JSON.stringify(name)},"children":[{"id":2},{"id":3}]},{"name":"b","children":[]},{"name":"c","children":[]}]`;
    expect(text).toContain(`"data":{"folders":${rows}}`);
  });
});

/** What asks for `__type`, which is 403 for everybody. Other tests send variables and such texts. */
const introspecting = ["28B9", "BF61", "2EA1"];

test("the audit of GraphQL over HTTP: every MUST, and every SHOULD for its own media type", async () => {
  const results = await auditServer({ url: `${service.origin}/graphql` });
  const demanded = results.filter(
    ({ name }) => name.startsWith("MUST ") || /^SHOULD .*graphql-response\+json$/.test(name),
  );
  expect(demanded.length).toBeGreaterThan(20);
  const failed = demanded.filter(({ status }) => status !== "ok");
  expect(failed.map(({ id }) => id).sort()).toEqual([...introspecting].sort());
  for (const result of failed) expect("response" in result && result.response.status, result.name).toBe(403);
});

describe("what the database cannot do", async () => {
  const service = await testService();

  let restore = "SELECT 1";

  /** Takes a table away from under the service, and gives it back after the test. */
  async function without(table: string): Promise<void> {
    await service.query(`ALTER TABLE "${table}" RENAME TO hidden`);
    restore = `ALTER TABLE hidden RENAME TO "${table}"`;
  }
  afterEach(() => service.query(restore));

  describe("a database error is an internal error, with details only in the log", () => {
    // biome-ignore format: one case a line
    test.each([
    ["a list", "folders", "{ folders { id } }"],
    ["one root field of several", "folders", "{ things { id } folders { id } }"],
    ["a join", "authors", "{ books { author { name } } }"],
    ["an aggregate", "folders", "{ folders_aggregate { count } }"],
    ["a write", "folders", 'mutation { createFolders(input: { name: "a" }) { id } }'],
    ["what is selected of a write", "authors", 'mutation { createBooks(input: { title: "a" }) { author { id } } }'],
  ])("%s", async (_, table, query) => {
    await service.store({ books: [{ id: 1, title: "One" }] });
    await without(table);
    const reply = await sendGraphql(service, query, "admin");
    expect(outcome(reply)).toBe("500 DATABASE_ERROR");
    expectEnvelope(reply);
    expect(reply.text).not.toMatch(/folders|authors|relation|select/i);
    expect(service.log.at(-1)).toMatchObject({ err: { message: `relation "${table}" does not exist` } });
    expect(await service.query("SELECT count(*)::int AS n FROM books")).toEqual([{ n: 1 }]);
  });
  });
});
