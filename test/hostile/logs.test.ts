import { Writable } from "node:stream";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "#runtime/process/log";
import { expectDiscreet, expectEnvelope } from "./support/envelope.ts";
import { allModels } from "./support/models.ts";
import { sendRaw } from "./support/raw.ts";
import { query, type Reply, type Request, startWorld, token, type World } from "./support/world.ts";

const canary = "c4n4ry";
const mail = `${canary}@secret.example`;

describe("what is secret stands in no log line and in no error", () => {
  let world: World;
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(...chunk.toString().trim().split("\n"));
      done();
    },
  });
  const papers = allModels.filter(({ model }) => model.key === "papers");
  const models = [
    ...allModels.filter(({ model }) => model.key !== "papers"),
    ...papers.map((entry) => ({ ...entry, hooks: { before_create: failing } })),
  ];

  /** A hook with a mistake in its SQL, and one that throws what it was given. */
  async function failing(
    record: Record<string, unknown>,
    { transaction }: { transaction?: (table: string) => { insert(row: object): Promise<unknown> } },
  ): Promise<void> {
    if (record["title"] === "sql") await transaction?.("papers").insert({ nonsense: record["secret"] });
    if (record["title"] === "throw") throw new TypeError("a mistake");
  }

  beforeAll(async () => {
    world = await startWorld({ models, log: createLog("hostile", "trace", sink) });
    await world.db.query(`insert into papers (owner_id, title, code, mail, secret, pin)
      values (1, 'b', '${canary}', '${mail}', '${canary}', '${canary}')`);
  });

  beforeEach(() => {
    lines.length = 0;
  });

  async function send(request: Request, status: number): Promise<Reply> {
    const reply = await world.send(request);
    expect(reply.status, reply.text).toBe(status);
    expectEnvelope(reply, request);
    if (status !== 200) {
      expectDiscreet(reply);
      expect(reply.text).not.toContain(canary);
    }
    return reply;
  }

  function expectSilence(count: number): void {
    expect(lines.length).toBeGreaterThanOrEqual(count);
    for (const line of lines) {
      expect(() => JSON.parse(line)).not.toThrow();
      expect(line).not.toContain(canary);
    }
  }

  const who = token("admin", "1", { email: mail });

  it("values of a query string", async () => {
    await send(
      { token: who, path: `/papers/fetch${query({ code: canary, mail, secret__like: canary })}` },
      200,
    );
    await send({ token: who, path: `/papers/search${query({ search_term: canary })}` }, 200);
    await send(
      {
        token: who,
        path: `/papers/fetch${query({ id: canary, state: canary, created_at: canary, limit: canary })}`,
      },
      400,
    );
    await send({ path: `/papers/fetch?access_token=${canary}` }, 403);
    await send({ path: `/things/fetch?token=x&api_key=${canary}` }, 400);
    expectSilence(5);
  });

  it("credentials, good and bad", async () => {
    const headers = { cookie: `session=${canary}`, "x-secret": canary, "x-request-id": `${canary} x` };
    await send({ path: "/things/fetch", headers }, 200);
    await send({ path: "/things/fetch", headers: { authorization: `Bearer ${canary}` } }, 401);
    await send({ path: "/things/fetch", headers: { authorization: `Basic ${canary}` } }, 401);
    await send({ path: "/things/fetch", headers: { "x-api-key": `kk_${canary}` } }, 401);
    await send({ path: "/papers/fetch", token: token("admin", "1", { email: mail, jti: canary }) }, 200);
    await send(
      { path: "/papers/fetch", token: token("admin", "1", { email: mail, jti: canary, exp: 1 }) },
      401,
    );
    expectSilence(6);
    expect(lines.join()).not.toContain("eyJ");
  });

  it("bodies", async () => {
    const record = { owner_id: 1, title: "b", pin: canary, mail, secret: canary, doc: { password: canary } };
    await send({ method: "POST", path: "/papers/create", token: who, body: { data: record } }, 200);
    await send(
      { method: "POST", path: "/papers/create", token: who, body: { data: { ...record, title: 7 } } },
      400,
    );
    await send(
      { method: "POST", path: "/papers/create", token: who, body: { data: { ...record, code: canary } } },
      400,
    );
    await send(
      {
        method: "POST",
        path: "/papers/create",
        token: who,
        body: { data: { ...record, state: canary, grade: canary, mail: canary, pin: canary.repeat(20) } },
      },
      400,
    );
    await send({ method: "POST", path: "/papers/create", token: who, body: `{"data": ${canary}` }, 400);
    await send(
      {
        method: "POST",
        path: "/papers/create",
        token: who,
        body: canary,
        headers: { "content-type": canary },
      },
      415,
    );
    await send(
      {
        method: "PUT",
        path: "/papers/update",
        token: who,
        body: { where: { id: canary }, data: { pin: canary } },
      },
      400,
    );
    await send({ method: "DELETE", path: "/papers/delete", token: who, body: { ids: [canary] } }, 400);
    await send(
      {
        method: "PUT",
        path: "/papers/update",
        token: token("clerk"),
        body: { where: { code: canary }, data: { mail } },
      },
      403,
    );
    expectSilence(9);
  });

  it("paths that lead nowhere", async () => {
    await send({ path: `/reset/${canary}.${canary}` }, 404);
    await send({ path: `/users/${encodeURIComponent(mail)}` }, 404);
    await send({ path: `/users/${mail}/x` }, 404);
    await send({ path: `/verify/${canary.repeat(10)}` }, 404);
    await send({ path: `/${token("admin", "1", { email: mail })}` }, 404);
    expectSilence(5);
    expect(lines.join()).not.toContain("eyJ");
  });

  it("requests that are none", async () => {
    await sendRaw(world.port, `GET /?${canary} HTTP/1.1\r\nHost: x\r\nAuthorization : ${canary}\r\n\r\n`);
    expectSilence(0);
  });

  it("failures of ours are logged with their stack, and answered without", async () => {
    const thrown = await send(
      {
        method: "POST",
        path: "/papers/create",
        token: who,
        body: { data: { owner_id: 1, title: "throw", secret: canary } },
      },
      500,
    );
    expect(thrown.json).toEqual({
      statusCode: 500,
      status: "error",
      error: "INTERNAL_ERROR",
      message: expect.any(String),
      data: null,
    });
    await send(
      {
        method: "POST",
        path: "/papers/create",
        token: who,
        body: { data: { owner_id: 1, title: "sql", secret: canary, pin: canary, mail } },
      },
      500,
    );
    expectSilence(2);
    expect(lines[0]).toContain("a mistake");
    expect(lines[0]).toContain("logs.test.ts");
    expect(lines[1]).toContain("nonsense");
  });

  it("failures of the database likewise", async () => {
    await world.db.query("alter table things rename to things_gone");
    const { json } = await send({ path: `/things/fetch${query({ name: canary })}` }, 500);
    expect(json).toEqual({
      statusCode: 500,
      status: "error",
      error: "DATABASE_ERROR",
      message: expect.any(String),
      data: null,
    });
    await send({ method: "POST", path: "/things/create", body: { data: { name: canary } } }, 500);
    await send({ method: "PUT", path: "/things/update", body: { data: [{ id: 1, name: canary }] } }, 500);
    await send({ method: "DELETE", path: "/things/delete", body: { where: { name: canary } } }, 500);
    await world.db.query("alter table things_gone rename to things");
    expectSilence(4);
    for (const line of lines) expect(line).toContain("things");
  });
});
