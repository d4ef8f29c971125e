import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { requestHead } from "../../support/application.ts";
import { filePart, formOf } from "../../support/multipart.ts";
import { outcome } from "../../support/scenarios.ts";
import { type Caller, tokenOf } from "../../support/service-token.ts";
import { storageProviders } from "../../support/storage-providers.ts";

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start({ maxFileSizeBytes: 10_000_000 });
  const staged = () => service.leftovers();

  afterEach(async () => {
    await expect.poll(staged).toEqual([]);
  });

  async function open(): Promise<Socket> {
    const { hostname, port } = new URL(service.origin);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  }

  const { headers, body } = formOf(["path", "a.bin"], filePart(Buffer.alloc(2_000_000, 7)));
  const type = `Content-Type: ${headers["content-type"]}`;
  const headOf = (caller: Exclude<Caller, null>, ...more: string[]) =>
    requestHead("POST /storage/upload/file", `Authorization: Bearer ${tokenOf(caller)}`, type, ...more);
  const head = (...more: string[]) => headOf("user", ...more);
  const withLength = head(`Content-Length: ${body.length}`);

  /** The answers that arrive until the connection ends: status lines and bodies. */
  async function answers(socket: Socket): Promise<string> {
    const parts: Buffer[] = [];
    socket.on("data", (part: Buffer) => parts.push(part));
    await once(socket, "close");
    return Buffer.concat(parts).toString();
  }

  describe("a client that leaves", () => {
    test.each([0, 1, 100, 300, 70_000, 1_000_000, body.length - 1])(
      "after %i bytes leaves nothing",
      async (bytes) => {
        await service.place({});
        const socket = await open();
        socket.write(withLength);
        socket.write(body.subarray(0, bytes));
        if (bytes > 1000) await expect.poll(staged).toHaveLength(1);
        socket.destroy();
        await expect.poll(staged).toEqual([]);
        expect(await service.files()).toEqual({});
      },
    );

    test("does not keep others from coming", async () => {
      await service.place({});
      for (let at = 0; at < 70; at++) {
        const socket = await open();
        socket.write(withLength + body.toString("latin1", 0, 1000));
        if (at % 2 === 0) await expect.poll(staged).toHaveLength(1);
        socket.destroy();
        await expect.poll(staged).toEqual([]);
      }
      const sent = { method: "POST", path: "/storage/upload/file", ...formOf(filePart("x", "a")) };
      expect(outcome(await service.send(sent, "user"))).toBe("200");
    });
  });

  describe("what is refused", () => {
    test("for its length is answered before the body is read", async () => {
      const socket = await open();
      socket.write(head("Content-Length: 20000000", "Expect: 100-continue"));
      const text = await answers(socket);
      expect(text).toMatch(/^HTTP\/1.1 413 .*"error":"HTTP_ERROR"/s);
      expect(text).not.toContain("100 Continue");
    });

    test("without a credential is answered before the body", async () => {
      const socket = await open();
      socket.write(
        requestHead("POST /storage/upload/file", type, "Content-Length: 20000000", "Expect: 100-continue"),
      );
      expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 401 /);
    });

    test("is asked for where it may be taken", async () => {
      await service.place({});
      const socket = await open();
      socket.write(head(`Content-Length: ${body.length}`, "Expect: 100-continue", "Connection: close"));
      expect(String(await once(socket, "data"))).toContain("100 Continue");
      socket.write(body);
      expect(await answers(socket)).toMatch(/^HTTP\/1.1 200 /);
    });

    test.each<[string, Buffer, string]>([
      ["at a field", formOf(["path", "../x"]).body, "400"],
      ["at an unknown field", formOf(["x", "y"]).body, "400"],
      ["at a file of another name", formOf({ name: "x", filename: "y", content: "z" }).body, "400"],
      ["at the limit", formOf(filePart(Buffer.alloc(10_000_001))).body, "413"],
      ["at a broken head", formOf({ head: "no head", content: "" }).body, "400"],
    ])("%s is answered at once, though more is to come", async (_, begun, status) => {
      await service.place({});
      const socket = await open();
      socket.write(head("Transfer-Encoding: chunked"));
      // Without its last dashes.
      const bytes = begun.subarray(0, begun.length - 4);
      socket.write(`${bytes.length.toString(16)}\r\n`);
      socket.write(bytes);
      socket.write("\r\n");
      expect(String(await once(socket, "data"))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(await service.files()).toEqual({});
    });

    test("leaves the connection to others where little is left of it", async () => {
      await service.place({});
      const socket = await open();
      const wrong = formOf(["path", "../x"], filePart(Buffer.alloc(3_000_000))).body;
      socket.write(head(`Content-Length: ${wrong.length}`));
      socket.write(wrong);
      const right = formOf(filePart("x", "a")).body;
      socket.write(head(`Content-Length: ${right.length}`, "Connection: close"));
      socket.write(right);
      expect((await answers(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 200"]);
      expect(await service.files()).toEqual({ a: "x" });
    });

    test("ends where too much follows", async () => {
      const socket = await open();
      socket.write(head("Transfer-Encoding: chunked"));
      const begun = formOf(["path", "../x"]).body;
      socket.write(`${begun.length.toString(16)}\r\n${begun}\r\n`);
      const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x10_0000), Buffer.from("\r\n")]);
      socket.on("error", () => {});
      for (let at = 0; at < 100 && !socket.destroyed; at++)
        await new Promise((resolve) => socket.write(chunk, resolve));
      expect(socket.destroyed).toBe(true);
    });

    test("a form that goes on behind its end, without an end", async () => {
      await service.place({});
      const socket = await open();
      socket.write(head("Transfer-Encoding: chunked"));
      const whole = formOf(filePart("x", "a")).body;
      socket.write(`${whole.length.toString(16)}\r\n${whole}\r\n`);
      const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x10_0000), Buffer.from("\r\n")]);
      const answered = once(socket, "data");
      socket.on("error", () => {});
      for (let at = 0; at < 12; at++) socket.write(chunk);
      expect(String(await answered)).toMatch(/^HTTP\/1.1 413 /);
      expect(await service.files()).toEqual({});
    });
  });

  describe("a body with two lengths is refused, and no part of it is read as a request", () => {
    const form = formOf(["path", "a"], filePart("x")).body;
    const chunked = Buffer.concat([
      Buffer.from(`${form.length.toString(16)}\r\n`),
      form,
      Buffer.from("\r\n0\r\n\r\n"),
    ]);
    const hidden = requestHead(
      "DELETE /storage/delete?path=there",
      `Authorization: Bearer ${tokenOf("user")}`,
    );
    const chunks = "Transfer-Encoding: chunked";
    test.each<[string, string[], Buffer]>([
      ["a length and chunks", [`Content-Length: ${form.length}`, chunks], Buffer.from("0\r\n\r\n")],
      ["chunks and a length", [chunks, "Content-Length: 4"], chunked],
      ["two lengths", [`Content-Length: ${form.length}`, "Content-Length: 5"], form],
      ["chunks that are none", ["Transfer-Encoding: xchunked"], chunked],
      ["another coding behind", ["Transfer-Encoding: chunked, identity"], chunked],
      ["chunks twice", [chunks, "Transfer-Encoding: identity"], chunked],
      ["a name with a blank", ["Transfer-Encoding : chunked"], chunked],
      ["a length below nothing", ["Content-Length: -1"], form],
    ])("%s", async (_, heads, body) => {
      await service.place({ there: "x" });
      const socket = await open();
      socket.write(head(...heads));
      socket.write(body);
      socket.write(hidden);
      expect((await answers(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
      expect(await service.files()).toEqual({ there: "x" });
    });
  });

  /** Uploads that a user has begun, each at a path of its own, and what ends them. */
  async function begin(count: number, sub: string) {
    const before = (await staged()).length;
    const begun: { readonly socket: Socket; readonly rest: Buffer }[] = [];
    for (let at = 0; at < count; at++) {
      const socket = await open();
      const { body } = formOf(["path", `${sub}-${at}.txt`], filePart("x".repeat(100)));
      socket.write(headOf({ role: "user", sub }, `Content-Length: ${body.length}`));
      socket.write(body.subarray(0, body.length - 60));
      begun.push({ socket, rest: body.subarray(body.length - 60) });
    }
    await expect.poll(staged).toHaveLength(before + count);
    return begun;
  }

  /** What an upload of a user is answered whose body is not asked for. */
  async function refused(sub: string): Promise<string> {
    const socket = await open();
    socket.write(headOf({ role: "user", sub }, "Content-Length: 100", "Expect: 100-continue"));
    return answers(socket);
  }

  const full = /^HTTP\/1.1 503 .*Retry-After: 5\r.*"error":"HTTP_ERROR"/s;
  const store = async (sub: string) => {
    const small = { method: "POST", path: "/storage/upload/file", ...formOf(filePart("x", `of-${sub}`)) };
    return outcome(await service.send(small, { role: "user", sub }));
  };

  describe("uploads at once", () => {
    test("sixty-four are taken, half of them from one user, and the next one is refused before its body", async () => {
      await service.place({});
      const begun = await begin(32, "7");
      expect(await refused("7")).toMatch(full);
      begun.push(...(await begin(32, "8")));
      expect(await refused("9")).toMatch(full);
      begun.pop()?.socket.destroy();
      await expect.poll(staged).toHaveLength(63);
      expect(await refused("7")).toMatch(full);
      expect(await store("9")).toBe("200");
      for (const { socket, rest } of begun) socket.write(rest);
      for (const { socket } of begun) expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1.1 200 /);
      expect(await store("7")).toBe("200");
      expect(Object.keys(await service.files())).toHaveLength(65);
    });

    test("of a byte per 20 seconds are 408, and the user can upload again", async () => {
      await service.place({});
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const begun = await begin(32, "7");
      const answered = Promise.all(begun.map(async ({ socket }) => String(await once(socket, "data"))));
      await vi.advanceTimersByTimeAsync(20_000);
      for (const { socket, rest } of begun) socket.write(rest.subarray(0, 1));
      expect(await refused("7")).toMatch(full);
      expect(await store("8")).toBe("200");
      await vi.advanceTimersByTimeAsync(11_000);
      for (const answer of await answered) expect(answer).toMatch(/^HTTP\/1.1 408 .*too slow/s);
      expect(await store("7")).toBe("200");
      expect(Object.keys(await service.files()).sort()).toEqual(["of-7", "of-8"]);
    });
  });
});
