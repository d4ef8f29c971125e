import { expect, test } from "vitest";
import { createLog, plainLine } from "../../../runtime/process/log.ts";
import { mask } from "../../../runtime/process/mask.ts";

test.each([
  ["Key (email)=(ann.o'neil+x@sub.example.com) already exists.", "Key (email)=([masked]) already exists."],
  ["connect to postgres://user:se:cret@db/app", "connect to postgres://user:[masked]@db/app"],
  ["nothing to hide @ noon", "nothing to hide @ noon"],
  ["Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "Bearer [masked]"],
  [`key kk_${"0af".repeat(21)}`, "key [masked]"],
])("%s", (text, expected) => {
  expect(mask(text)).toBe(expected);
});

test("a line holds no secret wherever it was put", () => {
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
