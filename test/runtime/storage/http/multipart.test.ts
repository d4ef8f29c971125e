import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendAnswer } from "../../../../runtime/http/envelope.ts";
import { readUpload } from "../../../../runtime/storage/http/multipart.ts";
import { type Application, requestHead, serveApplication } from "../../../support/application.ts";
import { filePart, formOf } from "../../../support/multipart.ts";

const folder = await mkdtemp(join(tmpdir(), "multipart-"));
afterAll(() => rm(folder, { recursive: true }));

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
      sendAnswer(response, { message: "", data: JSON.stringify({ name, size: file.size }) });
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

/** A connection, and what tells when the service has read so much of it. */
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

test("a client that moves may take longer than that", async () => {
  const { socket, send } = await opened();
  await send(head);
  for (let at = 0; at < body.length; at += 100) {
    await send(body.subarray(at, at + 100));
    vi.advanceTimersByTime(29_000);
  }
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 200 .*"size":1000/s);
  expect(fields).toEqual(["path=a", "overwrite=true"]);
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
