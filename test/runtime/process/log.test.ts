import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { mask } from "#runtime/core/masking/index";
import { createLog, flushLog, formatFor } from "#runtime/process/log";
import { plainLine, readableLine } from "#runtime/process/readable-line";

test.each([
  ["Key (email)=(ann.o'neil+x@sub.example.com) already exists.", "Key (email)=([masked]) already exists."],
  ["connect to postgres://user:se:cret@db/app", "connect to postgres://user:[masked]@db/app"],
  ["nothing to hide @ noon", "nothing to hide @ noon"],
  ["Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "Bearer [masked]"],
  [`key kk_${"0af".repeat(21)}`, "key [masked]"],
])("%s", (text, expected) => {
  expect(mask(text)).toBe(expected);
});

test("a written line is not kept in the buffer", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "kirak-log-")), "log");
  const log = createLog("test", "info", pino.destination({ dest: file, sync: false, minLength: 16_000 }));
  await flushLog(log);
  log.info("stopping");
  expect(readFileSync(file, "utf8")).toBe("");
  await flushLog(log);
  expect(readFileSync(file, "utf8")).toContain('"msg":"stopping"');
});

test("a line holds no secret in any field", () => {
  const lines: string[] = [];
  const log = createLog("test", "info", { write: (line) => lines.push(line) });
  log.info(
    { path: "/x/ann@example.org", password: "hunter2", body: { token: "t0k3n" } },
    "from bob@example.org",
  );
  log.error({ err: new Error("row of carol@example.org", { cause: new Error("dave@example.org") }) });
  const text = lines.join("");
  expect(lines).toHaveLength(2);
  for (const secret of ["ann@", "bob@", "carol@", "dave@", "hunter2", "t0k3n"])
    expect(text).not.toContain(secret);
});

test("a value is masked by its key, at any depth and of any kind", () => {
  const lines: string[] = [];
  const log = createLog("test", "info", { write: (line) => lines.push(line) });
  const headers = { Authorization: "Basic aGk6aG8=", "set-cookie": ["a=1", "b=2"], accept: "*/*" };
  const error = Object.assign(new Error("no"), { config: { headers, api_secret: { inner: 7 } } });
  log
    .child({ access_token: "abc123" })
    .error({ err: error, 'a"b': 1, token_type: "Bearer", tokens: 5 }, 'the "token": none');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith("}\n")).toBe(true);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    access_token: "[masked]",
    token_type: "Bearer",
    tokens: 5,
    msg: 'the "token": none',
    err: {
      message: "no",
      config: {
        headers: { Authorization: "[masked]", "set-cookie": "[masked]", accept: "*/*" },
        api_secret: "[masked]",
      },
    },
  });
});

test.each([
  [{ a: "http://x", b: "y@example.org z" }, "m", { a: "http://x", b: "[masked] z", msg: "m" }],
  [{}, "first\nann@example.org", { msg: "first\n[masked]" }],
  [{ url: 'redis://u:p"w@db' }, "\\", { url: "redis://u:[masked]@db", msg: "\\" }],
  [{ 'a"b@c': { "d@e.example": ["\t@", "\u2028x@y.example"] } }, "é", { msg: "é" }],
])("a masked line stays JSON: %j", (fields, message, expected) => {
  const lines: string[] = [];
  createLog("test", "info", { write: (line) => lines.push(line) }).info(fields, message);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject(expected);
  expect(lines[0]).toMatch(/\}\n$/);
  expect(lines[0]).not.toMatch(/p"w|\w@\w+\.example/);
});

test("a long text without an address is masked in no time", () => {
  const text = `${"a".repeat(1_000_000)} @`;
  expect(mask(text)).toBe(text);
});

test("to a terminal a line is its message", () => {
  const lines: string[] = [];
  const log = createLog("test", "info", { write: (line) => lines.push(plainLine(line)) });
  log.info({ migration: "0002_grow" }, "migration 1 of 1: 0002_grow");
  log.warn("trying again");
  log.error("lost");
  expect(lines).toEqual(["migration 1 of 1: 0002_grow\n", "warning: trying again\n", "error: lost\n"]);
});

test.each([
  [null, { isTTY: true }, "pretty"],
  [null, { isTTY: false }, "json"],
  [null, {}, "json"],
  ["json", { isTTY: true }, "json"],
  ["pretty", {}, "pretty"],
] as const)("SERVICE_LOG_FORMAT %s, on %j: %s", (wanted, stream, format) => {
  expect(formatFor(wanted, stream)).toBe(format);
});

describe("a readable line", () => {
  const start = String.fromCharCode(27);
  const read = (write: (log: ReturnType<typeof createLog>) => void, colours = false) => {
    const lines: string[] = [];
    write(createLog("shop", "trace", { write: (line) => lines.push(readableLine(line, colours, "shop")) }));
    return lines.join("");
  };

  test("has the time of day, the level, the message whole, and the fields", () => {
    const text = read((log) =>
      log.warn({ table: "books", count: 2, why: "it is late" }, "listening on http://[::1]:1"),
    );
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} warn {2}listening on http:\/\/\[::1\]:1 table=books count=2 why="it is late"\n$/,
    );
  });

  test("of a request begins with method and path, and the outcome", () => {
    const fields = { request_id: "a-1", method: "GET", path: "/books/:id", status: 200, duration_ms: 1.5 };
    expect(read((log) => log.info(fields, "request"))).toMatch(
      / info {2}GET \/books\/:id 200 request_id=a-1 duration_ms=1\.5\n$/,
    );
    const { status: _, ...cut } = fields;
    expect(read((log) => log.info({ ...cut, aborted: true }, "request"))).toMatch(
      / GET \/books\/:id request_id=a-1 duration_ms=1\.5 aborted=true\n$/,
    );
  });

  test("has a hook's fields under a name that every line has", () => {
    const text = read((log) => log.info({ name: "Harry", pid: 7, time: "noon", level: "high" }, "said"));
    expect(text).toBe("noon high  said pid=7 name=Harry\n");
    expect(read((log) => log.info("said"))).toMatch(/ info {2}said\n$/);
  });

  test("of an error has its stack below, and its code", () => {
    const error = Object.assign(new Error("lost", { cause: new Error("cut") }), { code: "08006" });
    const text = read((log) => log.error({ err: error }, "no answer"));
    expect(text).toMatch(/ error no answer code=08006\n {4}Error: lost\n {8}at /);
    expect(text).toMatch(/caused by: Error: cut\n/);
  });

  test("has colours only if they are wanted, and none in the parts that programs search for", () => {
    const text = read((log) => log.info({ a: 1 }, "listening on http://127.0.0.1:1"), true);
    expect(text).toContain(`${start}[32minfo ${start}[39m listening on http://127.0.0.1:1 `);
    expect(read((log) => log.info("x"))).not.toContain(start);
  });

  test("holds no secret either", () => {
    const text = read((log) =>
      log.info({ password: "hunter2", err: new Error("ann@example.org") }, "bob@example.org"),
    );
    expect(text).not.toMatch(/hunter2|ann@|bob@/);
  });

  test("cannot be forged, nor move the cursor", () => {
    const forged = `a\n12:00:00.000 info  all is well${start}[2J\r\u009b2J\u202ex`;
    for (const text of [
      read((log) => log.info(forged)),
      read((log) => log.info({ forged }, "m")),
      read((log) => log.info({ [forged]: 1 }, "m")),
      read((log) => log.info({ method: "GET", path: forged }, "request")),
      read((log) => log.error({ err: new Error(forged) })),
    ]) {
      expect(text).not.toMatch(/^12:00:00/m);
      expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
    }
    expect(plainLine(JSON.stringify({ level: 30, msg: `${start}[2J` }))).toBe("\\u001b[2J\n");
  });
});
