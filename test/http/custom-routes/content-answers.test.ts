import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it, test } from "vitest";
import { createServer, defineRoute, ServiceError } from "#runtime/index";
import { testService } from "../../support/service.ts";
import { silent } from "../../support/silent-log.ts";
import { service as fixture } from "../fixture/generated/index.ts";

/** What the handlers of `/any` and `/redirect` do; each test sets its own. */
const gives: {
  content: () => string | Uint8Array | Readable;
  status?: number;
  name?: string;
  after?: () => void;
  url: string;
} = { content: () => "", url: "" };

const get = { method: "GET", access: ["*"] } as const;
const calendar = "BEGIN:VCALENDAR\r\nSUMMARY:Müsli\r\nEND:VCALENDAR\r\n";
const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0x00, 0x80]);

// biome-ignore format: one case a line
const routes = [
  defineRoute({ ...get, path: "/webhook", query: { type: "object", properties: { challenge: { type: "string" } }, required: ["challenge"] },
      answer: { content_type: "text/plain" }, handler: ({ query }) => query.challenge }),
  defineRoute({ ...get,
    path: "/tasks.csv",
    answer: { content_type: "text/csv" },
    handler(_, { db, download }) {
      download("Aufträge 2026.csv");
      return Readable.from(
        (async function* () {
          yield "title\r\n";
          for (let offset = 0; ; offset += 2) {
            const page = await db.tasks.fetch({ order_by: "title", limit: 2, offset });
            for (const { title } of page) yield `${title}\r\n`;
            if (page.length < 2) return;
          }
        })(),
      );
    },
  }),
  defineRoute({ ...get,
    path: "/outlived",
    answer: { content_type: "text/csv" },
    handler: (_, { db }) =>
      db.transaction(async (context) =>
        Readable.from(
          (async function* () {
            for (const { title } of await context.db.tasks.fetch()) yield title;
          })(),
        ),
      ),
  }),
  defineRoute({ ...get, path: "/invoice.pdf", answer: { content_type: "application/pdf" }, handler: () => pdf }),
  defineRoute({ ...get, path: "/appointment.ics", answer: { content_type: "text/calendar; method=PUBLISH" }, handler: () => calendar }),
  defineRoute({ ...get,
    path: "/any",
    answer: { content_type: "application/octet-stream" },
    handler(_, { download, status, afterCommit }) {
      afterCommit(() => gives.after?.());
      if (gives.name !== undefined) download(gives.name);
      if (gives.status !== undefined) status(gives.status);
      return gives.content();
    },
  }),
  ...(["text/html", "image/svg+xml", "application/xml", "text/csv; charset=windows-1252"] as const).map(
    (content_type, index) =>
      defineRoute({ ...get, path: `/typed/${index}`, answer: { content_type }, handler: () => "<a/>" }),
  ),
  defineRoute({ ...get, method: "POST", path: "/redirect", answer: { type: "null" }, handler: (_, { redirect }) => redirect(gives.url, 303) }),
  defineRoute({ ...get, path: "/found", answer: { content_type: "text/plain" }, handler: (_, { redirect }) => redirect("/thanks") }),
];

const service = await testService({}, { served: { ...fixture, routes } });
const ask = (path: string, method = "GET") => service.send({ method, path });
const titles = ["a", "b", "c", "d", "e"];

/** An answer of `/any`. */
function answer(content: (typeof gives)["content"], more: { status?: number; name?: string } = {}) {
  Object.assign(gives, { content, status: undefined, name: undefined, ...more });
  return ask("/any");
}

/** The line of the log of a request. */
const lineOf = ({ headers }: { headers: Record<string, unknown> }) =>
  service.log.find(({ msg, request_id }) => msg === "request" && request_id === headers["x-request-id"]);

describe("what a route answers", () => {
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  const headers = (type: string, length: number | undefined, more = {}) => ({
    "content-type": type,
    ...(length !== undefined && { "content-length": `${length}` }),
    "content-security-policy": `sandbox; ${policy}`,
    "x-content-type-options": "nosniff",
    ...more,
  });
  // biome-ignore format: one case a line
  test.each<[path: string, headers: object, text: string]>([
    ["/webhook?challenge=a%20b", headers("text/plain; charset=utf-8", 3), "a b"],
    ["/appointment.ics", headers("text/calendar; method=PUBLISH; charset=utf-8", Buffer.byteLength(calendar)), calendar],
    ["/typed/0", headers("text/html; charset=utf-8", 4), "<a/>"],
    ["/typed/1", headers("image/svg+xml", 4), "<a/>"],
    ["/typed/2", headers("application/xml", 4), "<a/>"],
    ["/invoice.pdf", headers("application/pdf", 7, { "content-security-policy": policy }), pdf.toString()],
  ])("GET %s", async (path, expected, text) => {
    const reply = await ask(path);
    expect(reply).toMatchObject({ status: 200, headers: expected, text });
    expect(await ask(path, "HEAD")).toMatchObject({ status: 200, headers: expected, text: "" });
  });

  it("a stream reads on by the context of its route, and is saved under its name", async () => {
    await service.store({ tasks: titles.map((title) => ({ title, status: "open" })) });
    const reply = await ask("/tasks.csv");
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(["title", ...titles, ""].join("\r\n"));
    expect(reply.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition":
        "attachment; filename=\"Auftr_ge 2026.csv\"; filename*=UTF-8''Auftr%C3%A4ge%202026.csv",
      "transfer-encoding": "chunked",
    });
    const { status, text } = await ask("/tasks.csv", "HEAD");
    expect([status, text]).toEqual([200, ""]);
  });

  test.each<[name: string, header: string]>([
    ["a.csv", 'attachment; filename="a.csv"'],
    ["a\r\nSet-Cookie: b=c", 'attachment; filename="a__Set-Cookie: b=c"'],
    ["../../etc/passwd", 'attachment; filename=".._.._etc_passwd"'],
    ['a"b\\c', 'attachment; filename="a\\"b_c"'],
    ["\ud800.csv", "attachment; filename=\"_.csv\"; filename*=UTF-8''%EF%BF%BD.csv"],
  ])("download(%j)", async (name, header) => {
    const { status, headers } = await answer(() => "x", { name });
    expect([status, headers["content-disposition"], headers["set-cookie"]]).toEqual([200, header, undefined]);
  });

  test.each<[status: number, content: () => string | Readable, text: string, length: string | undefined]>([
    [202, () => "x", "x", "1"],
    [201, () => Readable.from(["é", Buffer.from("x")]), "éx", undefined],
    [204, () => "x", "", undefined],
    [205, () => Readable.from(["x"]), "", "0"],
  ])("status(%i)", async (status, content, text, length) => {
    const reply = await answer(content, { status });
    expect([reply.status, reply.text, reply.headers["content-length"]]).toEqual([status, text, length]);
  });

  it("an empty stream, and one that has ended before", async () => {
    const ended = Readable.from([]);
    ended.resume();
    await once(ended, "end");
    for (const content of [Readable.from([]), ended]) {
      const { status, text, headers } = await answer(() => content);
      expect([status, text, headers["content-type"]]).toEqual([200, "", "application/octet-stream"]);
    }
  });
});

describe("what fails is answered in the envelope, as long as nothing is sent", () => {
  const failing = Readable.from(
    (async function* () {
      yield await Promise.reject(new ServiceError("PERMISSION_DENIED"));
    })(),
  );
  // biome-ignore format: one case a line
  test.each<
    [string, () => unknown, more: { status?: number; name?: string }, expected: string, cause?: string]
  >([
    ["a throw", () => { throw new ServiceError("SLOT_TAKEN"); }, { name: "a.csv" }, "409 SLOT_TAKEN"],
    ["a stream whose first piece fails", () => failing, { name: "a.csv" }, "403 PERMISSION_DENIED"],
    ["another stream of that kind", () => new PassThrough().destroy(new Error("gone")), {}, "500 INTERNAL_ERROR", "gone"],
    ["a stream that ends too early", () => new PassThrough().destroy(), {}, "500 INTERNAL_ERROR", "Premature close"],
    ["what is no content", () => ({ title: "x" }), {}, "500 INTERNAL_ERROR", "is not a string, a Buffer or a stream"],
    ["nothing", () => undefined, {}, "500 INTERNAL_ERROR", "is not a string"],
    ["a status of errors", () => "", { status: 404 }, "500 INTERNAL_ERROR", "200 to 299"],
    ["no name", () => "", { name: "" }, "500 INTERNAL_ERROR", "download(name)"],
  ])("%s", async (_, content, more, expected, cause) => {
    const reply = await answer(() => Object(content()), more);
    expect(`${reply.status} ${reply.envelope.error}`).toBe(expected);
    expect(reply.headers["content-disposition"]).toBeUndefined();
    expect(reply.headers["content-security-policy"]).not.toContain("sandbox");
    if (cause !== undefined) expect(JSON.stringify(lineOf(reply))).toContain(cause);
  });

  it("a string in another charset than UTF-8", async () => {
    const reply = await ask("/typed/3");
    expect([reply.status, JSON.stringify(lineOf(reply))]).toEqual([
      500,
      expect.stringContaining("is a string"),
    ]);
  });

  it("a stream that reads by the context of a transaction that has ended", async () => {
    const reply = await ask("/outlived");
    expect([reply.status, JSON.stringify(lineOf(reply))]).toEqual([
      500,
      expect.stringContaining("the context has ended"),
    ]);
  });
});

describe("a stream that is under way", () => {
  test.each<[string, last: () => unknown, cause: string]>([
    ["fails", () => Promise.reject(new Error("the database is gone")), "the database is gone"],
    ["gives what is no text", () => ({ title: "x" }), "must yield strings or bytes"],
  ])("%s: the connection breaks, and the log has the cause", async (_, last, cause) => {
    const content = () =>
      Readable.from(
        (async function* () {
          yield "first";
          yield await last();
        })(),
      );
    await expect(answer(content)).rejects.toThrow();
    const line = service.log.findLast(({ msg }) => msg === "request");
    expect(line).toMatchObject({
      level: 50,
      path: "/any",
      status: 200,
      error: "INTERNAL_ERROR",
      aborted: true,
    });
    expect(JSON.stringify(line)).toContain(cause);
  });

  it("is destroyed when its client leaves, and nothing is wrong", async () => {
    let isDestroyed = () => {};
    const destroyed = new Promise<void>((resolve) => {
      isDestroyed = resolve;
    });
    gives.content = () =>
      new Readable({
        read() {
          this.push(Buffer.alloc(65_536));
        },
        destroy(error, done) {
          isDestroyed();
          done(error);
        },
      });
    const { hostname, port } = new URL(service.origin);
    const socket = connect(Number(port), hostname);
    socket.write("GET /any HTTP/1.1\r\nHost: a\r\nX-Request-Id: leaves\r\n\r\n");
    await once(socket, "data");
    socket.destroy();
    await destroyed;
    await expect
      .poll(() => service.log.find(({ request_id }) => request_id === "leaves"))
      .toMatchObject({ level: 30, status: 200, aborted: true });
    expect(service.log.find(({ request_id }) => request_id === "leaves")).not.toHaveProperty("err");
    await service.settled();
  });
});

test("a client that leaves before the first piece leaves nothing open", async () => {
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const content = new Readable({ read: () => isAsked() });
  const followed = new Promise<void>((resolve) => Object.assign(gives, { after: resolve }));
  gives.content = () => content;
  const { hostname, port } = new URL(service.origin);
  const socket = connect(Number(port), hostname);
  socket.write("GET /any HTTP/1.1\r\nHost: a\r\n\r\n");
  await asked;
  socket.destroy();
  await once(content, "close");
  await followed;
  await service.settled();
});

describe("redirect(url, status)", () => {
  const redirected = async (url: string) => {
    gives.url = url;
    const { status, headers, text } = await ask("/redirect", "POST");
    return status === 500 ? 500 : [status, headers["location"], text];
  };

  test.each<[url: string, location?: string]>([
    ["/thanks?paid=1#top"],
    ["thanks"],
    ["?page=2"],
    ["https://pay.example/a?b=c", "https://pay.example/a?b=c"],
    ["HTTP://pay.example", "http://pay.example/"],
    ["/für/ä b", "/f%C3%BCr/%C3%A4%20b"],
    ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
  ])("%s", async (url, location = url) => {
    expect(await redirected(url)).toEqual([303, location, ""]);
  });

  // biome-ignore format: many a line
  test.each([
    "//evil.example", "//kirak", "  //evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/a\r\nSet-Cookie: b=c",
    "/\t/evil.example", "javascript:alert(1)", "data:text/html,x", "http:evil.example", "https://", "mailto:a@example.com", "/\ud800",
  ])("%j is refused", async (url) => {
    expect(await redirected(url)).toBe(500);
  });

  it("is 302 where no status is given, also of a route whose answer is not JSON", async () => {
    const { status, headers } = await ask("/found");
    expect([status, headers["location"], headers["content-type"]]).toEqual([302, "/thanks", undefined]);
  });
});

test.each<[answer: object, message: string]>([
  [{ content_type: "text" }, 'content_type "text" is not a content type'],
  [{ content_type: "text/a\r\nb: c" }, "is not a content type"],
  [{ content_type: 'text/a; b="\u00e9"' }, "is not a content type"],
  [{ content_type: "application/json" }, "is JSON"],
  [{ content_type: 7 }, "is not a string"],
  [{ content_type: "text/csv", type: "string" }, '"type" is not allowed next to "content_type"'],
])("the answer %j stops the start", (answer, message) => {
  const route = { ...defineRoute({ ...get, path: "/x", answer: {}, handler: () => null }), answer };
  const start = () =>
    createServer(
      { ...fixture, routes: [route] },
      { config: service.config, database: service.pool, log: silent },
    );
  expect(start).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
});
