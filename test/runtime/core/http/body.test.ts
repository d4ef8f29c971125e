import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseJson, readJsonBody } from "#runtime/core/http/body";
import { isPreferred } from "#runtime/core/http/url";
import { jsonText } from "#vocabulary/json";

/** A request as node:http hands it on, with its body in chunks. */
function request(headers: Record<string, string>, chunks: readonly (string | Buffer)[]): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  Object.assign(message.headers, headers);
  for (const chunk of chunks) message.push(chunk);
  message.push(null);
  return message;
}

const json = { "content-type": "application/json", "transfer-encoding": "chunked" };
const read = (headers: Record<string, string>, ...chunks: (string | Buffer)[]) =>
  readJsonBody(request(headers, chunks), 20);
const failure = (status: number) => expect.objectContaining({ status });

describe("readJsonBody", () => {
  it("reads chunks, characters that they cut in two included", async () => {
    expect(await read(json, '{"a"', ":1}")).toEqual({ a: 1 });
    const bytes = Buffer.from('{"a":"é😀"}');
    expect(await read(json, bytes.subarray(0, 7), bytes.subarray(7, 10), bytes.subarray(10))).toEqual({
      a: "é😀",
    });
  });

  it("an absent body is undefined", async () => {
    expect(await read({})).toBeUndefined();
    expect(await read({ "content-length": "0" })).toBeUndefined();
    expect(await read(json)).toBeUndefined();
    for (const headers of [{}, { "content-length": "0" }, { "transfer-encoding": "chunked" }])
      await expect(read({ ...headers, "content-type": "text/plain" })).rejects.toEqual(failure(415));
  });

  it("the limit is that of the bytes which come, not of those announced", async () => {
    expect(await read(json, `{"a":"${"x".repeat(12)}"}`)).toEqual({ a: "x".repeat(12) });
    await expect(read(json, `{"a":"${"x".repeat(13)}"}`)).rejects.toEqual(failure(413));
    await expect(read({ ...json, "content-length": "2" }, `{"a":"${"x".repeat(50)}"}`)).rejects.toEqual(
      failure(413),
    );
    await expect(read({ "content-length": "21" })).rejects.toEqual(failure(413));
  });

  // biome-ignore format: many a line
  it.each([
    "application/json", "APPLICATION/JSON", "application/json; charset=utf-8", 'application/json;charset="UTF-8"', "application/json ; a=b",
    "application/merge-patch+json", "application/vnd.x.y+json",
  ])("takes %s", async (type) => {
    expect(await read({ ...json, "content-type": type }, "{}")).toEqual({});
  });

  // biome-ignore format: many a line
  it.each([
    "", "text/json", "application/jsonx", "xapplication/json", "application/json, text/plain", "text/plain; application/json",
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16", "application/json; charset=latin1",
    "application/+json",
  ])("refuses %j", async (type) => {
    await expect(read({ ...json, "content-type": type }, "{}")).rejects.toEqual(failure(415));
  });

  it("refuses compressed bodies, other encodings than UTF-8, and values that are not objects", async () => {
    await expect(read({ ...json, "content-encoding": "gzip" }, "{}")).rejects.toEqual(failure(415));
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]) {
      await expect(read(json, Buffer.from(['"'.charCodeAt(0), ...bytes, '"'.charCodeAt(0)]))).rejects.toEqual(
        failure(400),
      );
    }
    for (const text of ["[]", "null", "1", '"{}"', "true"])
      await expect(read(json, text)).rejects.toEqual(failure(400));
  });
});

const refused = expect.objectContaining({ code: "VALIDATION_ERROR", status: 400 });

describe("parseJson", () => {
  it("parses like JSON.parse", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }), (value) => {
        const text = JSON.stringify(value);
        const storable = !/\\u0000|\\ud[89a-f]/i.test(text);
        if (storable) expect(JSON.parse(jsonText(parseJson(text)))).toEqual(JSON.parse(text));
        else expect(() => parseJson(text)).toThrow(refused);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  // biome-ignore format: one case a line
  it.each([
    ['{"a":[9007199254740992,-1E20],"__proto__":1e16}', '{"a":[9007199254740992,-100000000000000000000],"__proto__":10000000000000000}'],
    ['["9007199254740993","\\"",9007199254740993,"\\\\",1.5e1]', '["9007199254740993","\\"",9007199254740993,"\\\\",15]'],
    ['{"a":9007199254740993,"a":12345678901234567890.00}', '{"a":12345678901234567890}'],
    ["9007199254740991", "9007199254740991"],
    ["0.12345678901234567890", "0.12345678901234568"],
    ["[9007199254740993,1e20,1.5E300]", "[9007199254740993,100000000000000000000,1.5e+300]"],
    ['{"a":[1,{"__proto__":9007199254740993}],"b":null}', '{"a":[1,{"__proto__":9007199254740993}],"b":null}'],
  ])("keeps the digits of whole numbers: %s", (text, printed) => {
    expect(jsonText(parseJson(text))).toBe(printed);
  });

  it("takes linear time for long numbers, many numbers and deep ones", () => {
    const long = "9007199254740993";
    expect(parseJson(`1.5${"0".repeat(500_000)}1`)).toBe(1.5);
    expect(parseJson(`${long}.${"0".repeat(500_000)}`)).toBe(BigInt(long));
    expect(parseJson("9".repeat(1_000_000))).toBe(Number.POSITIVE_INFINITY);
    expect(jsonText(parseJson(`[${Array(100_000).fill("1e300").join()},${long}]`)).length).toBeLessThan(1e6);
    const deep = `${"[".repeat(63)}${Array(100_000).fill("1").join()},${long}${"]".repeat(63)}`;
    expect(jsonText(parseJson(deep))).toBe(deep);
  });

  it("64 levels, and not one more; brackets in strings count for nothing", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(() => parseJson(nested(64))).not.toThrow();
    expect(() => parseJson(nested(65))).toThrow(refused);
    expect(() => parseJson(`${'{"a":'.repeat(65)}1${"}".repeat(65)}`)).toThrow(refused);
    expect(() => parseJson("[".repeat(1_000_000))).toThrow(refused);
    expect(parseJson(JSON.stringify("[".repeat(100)))).toBe("[".repeat(100));
    expect(parseJson(JSON.stringify(['"\\', "[".repeat(100), '\\"']))).toHaveLength(3);
    expect(parseJson(`[${nested(60)},${nested(60)}]`)).toHaveLength(2);
  });

  // biome-ignore format: many a line
  it.each([
    '"\\u0000"', '{"a\\u0000":1}', '["\\ud800"]', '{"a":{"b":["\\uDC00"]}}', '"\\ud83dx"', '{"\\udfff":1}', '"\\\\\\u0000"',
    '{"a":"x","a":"\\u0000"}',
  ])("refuses %s, which PostgreSQL cannot store", (text) => {
    expect(() => parseJson(text)).toThrow(refused);
  });

  it.each(['"\\\\u0000"', '"\\ud83d\\ude00"', '"\\u00e9"', '"😀"'])("takes %s", (text) => {
    expect(parseJson(text)).toBe(JSON.parse(text));
  });

  // biome-ignore format: many a line
  it.each([
    "", "{", '{"a":1,}', "{'a':1}", "[1 2]", "NaN", "Infinity", "undefined", "\ufeff{}", '"\n"', "01", "{} {}", '"\\x41"', '"',
  ])("refuses %j", (text) => {
    expect(() => parseJson(text)).toThrow(refused);
  });

  it("`__proto__` becomes a key and no prototype", () => {
    const value = parseJson('{"__proto__":{"polluted":1}}');
    expect(Object.keys(Object(value))).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("polluted");
  });

  it("takes time in proportion to the length of any text", () => {
    const size = 500_000;
    const startedAt = performance.now();
    for (const piece of ["\\\\", '\\"', "\\u0061", "[", " ", "a"]) {
      const text = piece.repeat(size / piece.length);
      parseJson(`"${text}"`);
      expect(() => parseJson(text)).toThrow();
    }
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

const graphql = "application/graphql-response+json";
const asJson = "application/json";

test.each([
  [graphql],
  [graphql.toUpperCase()],
  [`${graphql}; charset=utf-8`],
  [`${graphql}, ${asJson}`],
  [`${asJson}, ${graphql}`],
  [`text/html ,\t${graphql} ; q=0.5 , ${asJson} ; q=0.5`],
  [`${graphql},${asJson};q=0.9`],
  [`${graphql};Q=1.000, ${asJson};q=0.999`],
  [`${graphql};q=0.1`],
  [`${graphql};q=0.8, application/*;q=0.8, */*;q=0.1`],
  ["a range of its own goes before wildcards", `${graphql};q=0.8, */*, ${asJson};q=0.8`],
  [`${graphql};q=0.2, ${graphql};charset=utf-8, ${asJson};q=0.9`],
  [`text/plain;x=",${asJson},", ${graphql};q=0.5`],
  [`text/plain;x="\\",${asJson},", ${graphql};q=0.5`],
  ["what refuses JSON", `${graphql};q=0.1, ${asJson};q=0, */*`],
])("%s", (...names) => {
  expect(isPreferred(names.at(-1), graphql, asJson)).toBe(true);
});

test.each([
  ["no header", undefined],
  [""],
  [asJson],
  ["*/*"],
  ["application/*"],
  ["application/*+json, */*"],
  [`${graphql}x`],
  [`x${graphql}`],
  [`${graphql};q=0`],
  [`${graphql};q=0.000, text/html`],
  [`${graphql};q=0.8, ${asJson}`],
  [`${graphql};q=0.8, ${asJson};q=0.9`],
  [`${graphql};q=0.8, */*`],
  [`${graphql};q=0.8, application/*;q=0.9, */*;q=0.1`],
  [`text/plain;x="${graphql}"`],
  [`text/plain;x=", ${graphql}, "`],
  ["a malformed weight", `${graphql};q=high`],
  ["a weight beyond 1", `${graphql};q=2`],
  ["four digits", `${graphql};q=0.1234`],
])("not: %s", (...names) => {
  expect(isPreferred(names.at(-1), graphql, asJson)).toBe(false);
});

test("takes time that grows no faster than a header, however odd that is", () => {
  const started = performance.now();
  for (const odd of ['"', '"\\', ";", ",", "q=,;", '\\"']) {
    expect(isPreferred(`${odd.repeat(400_000 / odd.length)}${graphql};q=0`, graphql, asJson)).toBe(false);
  }
  // Some 50 ms. Where each quotation mark is looked at from every other one, more than a minute.
  expect(performance.now() - started).toBeLessThan(10_000);
});
