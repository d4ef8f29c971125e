import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { readJsonBody } from "#runtime/http/body";

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

  it("no body is none", async () => {
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

  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; a=b",
    "application/merge-patch+json",
    "application/vnd.x.y+json",
  ])("takes %s", async (type) => {
    expect(await read({ ...json, "content-type": type }, "{}")).toEqual({});
  });

  it.each([
    "",
    "text/json",
    "application/jsonx",
    "xapplication/json",
    "application/json, text/plain",
    "text/plain; application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/json; charset=latin1",
    "application/+json",
  ])("refuses %j", async (type) => {
    await expect(read({ ...json, "content-type": type }, "{}")).rejects.toEqual(failure(415));
  });

  it("refuses what is compressed, no UTF-8 or no object", async () => {
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
