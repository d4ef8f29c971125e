import { once } from "node:events";
import { promises } from "node:fs";
import { type FileHandle, readdir, rm } from "node:fs/promises";
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sendSuccess } from "#runtime/core/http/answer";
import { readUpload } from "#runtime/modules/storage/http/multipart";
import { pipeBody, requestAborted } from "#runtime/modules/storage/http/pipe-body";
import { type Application, requestHead, serveApplication } from "../../../../support/application.ts";
import { filePart, formOf } from "../../../../support/multipart.ts";
import { replaceOnDisk, testFolder } from "../../../../support/stores.ts";

const folder = await testFolder();
const { open } = promises;

let application: Application;
let fields: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  fields = [];
  application = await serveApplication((app) => {
    app.post("/upload", async (request, response) => {
      const takeField = (name: string, value: string) => void fields.push(`${name}=${value}`);
      const { name, file } = await readUpload(request, response, { folder, limit: 1_000_000, takeField });
      await rm(file.path);
      sendSuccess(response, { message: "", data: JSON.stringify({ name, size: file.size }) });
    });
  });
});
afterEach(() => void vi.useRealTimers());

const { headers, body } = formOf(["path", "a"], filePart(Buffer.alloc(1000)), ["overwrite", "true"]);
const head = requestHead(
  "POST /upload",
  `Content-Type: ${headers["content-type"]}`,
  `Content-Length: ${body.length}`,
);

/** A connection, and a promise for when the service has read so much of it. */
async function opened() {
  const [socket, [served]] = await Promise.all([application.open(), once(application.server, "connection")]);
  let sent = 0;
  return {
    socket,
    async send(bytes: string | Buffer) {
      socket.write(bytes);
      sent += bytes.length;
      await expect.poll(() => served.bytesRead).toBe(sent);
    },
  };
}

test.each([0, 50, 500, body.length - 1])("a client that is silent after %i bytes is 408", async (bytes) => {
  const { socket, send } = await opened();
  const served = once(application.server, "request");
  await send(head);
  await served;
  await send(body.subarray(0, bytes));
  vi.advanceTimersByTime(29_000);
  expect(socket.readableLength).toBe(0);
  vi.advanceTimersByTime(1_001);
  const text = String(await once(socket, "data"));
  expect(text).toMatch(/^HTTP\/1.1 408 .*Connection: close\r.*"error":"HTTP_ERROR"/s);
  expect(await readdir(folder)).toEqual([]);
});

describe("a file of 600,000 bytes", () => {
  const { headers, body } = formOf(filePart(Buffer.alloc(600_000)));
  const head = requestHead(
    "POST /upload",
    `Content-Type: ${headers["content-type"]}`,
    `Content-Length: ${body.length}`,
  );

  test("can take longer than 30 seconds where it averages 4 KiB a second", async () => {
    const { socket, send } = await opened();
    await send(head);
    for (let at = 0; at < body.length; at += 125_000) {
      await send(body.subarray(at, at + 125_000));
      vi.advanceTimersByTime(29_000);
    }
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 200 .*"size":600000/s);
  });

  test("is 408 where its client is silent, though it averages more", async () => {
    const { socket, send } = await opened();
    await send(head);
    await send(body.subarray(0, 500_000));
    await expect.poll(() => readdir(folder)).toHaveLength(1);
    vi.advanceTimersByTime(32_000);
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 408 .*sent nothing/s);
  });
});

test("a form that the parser never ends is 400", async () => {
  // A boundary in the head of a part, and what looks like the end of the form behind it.
  const broken = `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\nX: y\r\n--b\r\n\r\n--x`;
  const { socket, send } = await opened();
  const served = once(application.server, "request");
  await send(
    requestHead(
      "POST /upload",
      "Content-Type: multipart/form-data; boundary=b",
      `Content-Length: ${broken.length + 9}`,
    ),
  );
  await served;
  await send(broken);
  await send("\r\n--b--\r\n");
  vi.advanceTimersByTime(31_000);
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 400 .*"error":"VALIDATION_ERROR"/s);
  expect(await readdir(folder)).toEqual([]);
});

/** Puts something in the place of writing, for all files that a test opens. */
const writeBy = (writev: FileHandle["writev"]) =>
  replaceOnDisk({ open: async (...words) => Object.assign(await open(...words), { writev }) });

test("a disk that takes long for each call is waited for, behind the end of the body too", async () => {
  let asked = 0;
  writeBy((buffers) => {
    asked++;
    const bytesWritten = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return new Promise((resolve) => setTimeout(resolve, 16_000, { bytesWritten, buffers }));
  });
  // If the disk has one part, and the queue is full, the parser has handed over a little more.
  const { headers, body } = formOf(filePart(Buffer.alloc(577_000)));
  const { socket, send } = await opened();
  let answer = "";
  socket.once("data", (text) => {
    answer = String(text);
  });
  const type = `Content-Type: ${headers["content-type"]}`;
  await send(requestHead("POST /upload", type, `Content-Length: ${body.length}`));
  for (let at = 0; at < body.length; at += 64_000) await send(body.subarray(at, at + 64_000));
  for (let call = 1; answer === ""; call++) {
    await expect.poll(() => asked === call || answer !== "").toBe(true);
    vi.advanceTimersByTime(16_000);
  }
  expect(answer).toMatch(/^HTTP\/1.1 200 .*"size":577000/s);
});

test("a disk that takes parts, each in time, is waited for", async () => {
  let asked = 0;
  writeBy((buffers) => {
    asked++;
    return new Promise((resolve) => setTimeout(resolve, 16_000, { bytesWritten: 300, buffers }));
  });
  const { socket, send } = await opened();
  const answer = once(socket, "data");
  await send(head);
  await send(body);
  for (let call = 1; call <= 4; call++) {
    await expect.poll(() => asked).toBe(call);
    vi.advanceTimersByTime(16_000);
  }
  expect(String(await answer)).toMatch(/^HTTP\/1.1 200 .*"size":1000/s);
});

test("a disk that does not respond causes a 500, for any rest of the form", async () => {
  let finish: (() => void) | null = null;
  writeBy(
    (buffers) =>
      new Promise((resolve) => {
        finish = () => resolve({ bytesWritten: 1000, buffers });
      }),
  );
  const { socket, send } = await opened();
  const answer = once(socket, "data");
  await send(head);
  await send(body);
  const end = await vi.waitUntil(() => finish);
  // One for the write, one for the file that is not closed before.
  await vi.advanceTimersByTimeAsync(31_000);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(String(await answer)).toMatch(/^HTTP\/1.1 500 .*"error":"STORAGE_ERROR"/s);
  end();
});

test("the route waits for unfinished work on accepted files", async () => {
  let isAtWork = true;
  const failures: string[] = [];
  const fail = ({ message }: Error) => void failures.push(message);
  const target = new Writable({ write: (_chunk, _encoding, done) => done(), final: () => {} });
  const { open } = await serveApplication((app) => {
    app.post("/", (request) => {
      pipeBody(request, target, { limit: 100, isAtWork: () => isAtWork, fail, tooLarge: requestAborted });
    });
  });
  const socket = await open();
  socket.write(requestHead("POST /", "Content-Length: 5"));
  socket.write("hello");
  await vi.waitUntil(() => target.writableEnded);
  vi.advanceTimersByTime(3_600_000);
  expect(failures).toEqual([]);
  isAtWork = false;
  vi.advanceTimersByTime(31_000);
  expect(failures).toEqual(["the multipart parser expects more data"]);
});
