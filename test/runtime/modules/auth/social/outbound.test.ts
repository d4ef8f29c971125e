import { EventEmitter, once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Outbound } from "#runtime/modules/auth/social/outbound";
import { SocialFailure } from "#runtime/modules/auth/social/social-failure";
import { listen } from "#runtime/process/http-lifecycle";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.restoreAllMocks();
});

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(await listen(server, 0, "127.0.0.1"));
}

const options = { userAgent: "shop (kirak)", production: false };
const outbound = new Outbound(options);
const get = (url: URL | string) => outbound.send({ method: "GET", url: new URL(url) });
const mebibyte = 1_048_576;

describe("a call", () => {
  test("says who calls and what is understood, unless it says otherwise", async () => {
    const heard: unknown[] = [];
    const url = await serve(({ headers }, response) => {
      heard.push([headers["user-agent"], headers.accept, headers["content-type"], headers["content-length"]]);
      response.end("a=b");
    });
    await get(url);
    await outbound.send({ method: "GET", url, headers: { Accept: "text/xml" } });
    await outbound.send({ method: "POST", url, body: "" });
    expect(heard).toEqual([
      ["shop (kirak)", "application/json", undefined, undefined],
      ["shop (kirak)", "text/xml", undefined, undefined],
      ["shop (kirak)", "application/json", undefined, "0"],
    ]);
  });

  test.each([301, 302, 303, 307, 308])("follows no redirect: %i", async (status) => {
    let calls = 0;
    const url = await serve((_, response) => {
      calls += 1;
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    expect((await get(url)).status).toBe(status);
    await expect(outbound.ask({ method: "GET", url })).rejects.toThrow(SocialFailure);
    expect(calls).toBe(2);
  });

  test("takes 1 MiB of an answer and not a byte more", async () => {
    const url = await serve((request, response) =>
      response.end(Buffer.alloc(Number(request.url?.slice(1)), "a")),
    );
    expect((await get(new URL(`/${mebibyte}`, url))).text).toHaveLength(mebibyte);
    await expect(get(new URL(`/${mebibyte + 1}`, url))).rejects.toThrow("the response is larger than 1 MiB");
  });

  test("accepts 1 MiB after decompression", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * mebibyte));
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    await expect(get(url)).rejects.toThrow("the response is larger than 1 MiB");
  });

  test("hangs up on an answer without an end", async () => {
    const closed: Promise<unknown>[] = [];
    const url = await serve((_, response) => {
      closed.push(once(response, "close"));
      const more = (): void =>
        void (response.write(Buffer.alloc(65_536)) ? setImmediate(more) : response.once("drain", more));
      more();
    });
    await expect(get(url)).rejects.toThrow("the response is larger than 1 MiB");
    await Promise.all(closed);
  });

  test.each([
    ["says nothing", () => {}],
    ["begins and says no more", (response: { write: (text: string) => void }) => response.write("{")],
  ])("waits 5 s for who %s", async (_, begin) => {
    const end = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(end.signal);
    const calls = new EventEmitter();
    const called = once(calls, "call");
    const url = await serve((__, response) => {
      begin(response);
      calls.emit("call");
    });
    const answer = expect(get(url)).rejects.toThrow(/did not answer: TimeoutError$/);
    await called;
    end.abort(new DOMException("too late", "TimeoutError"));
    await answer;
    expect(timeout).toHaveBeenCalledWith(5_000);
  });

  test("reports an unreachable host without the rest of its address", async () => {
    const url = await serve(() => {});
    for (const close of closing.splice(0)) close();
    const failure = get(new URL("/me?access_token=secret", url));
    await expect(failure).rejects.toThrow(
      new SocialFailure(`${url.host} did not answer: ECONNREFUSED`, "unavailable"),
    );
  });
});

describe("an address", () => {
  // biome-ignore format: many a line
  test.each([
    "http://api.example.com/me", "http://127.0.0.1.example.com/me", "http://10.0.0.1/me", "http://169.254.169.254/latest/meta-data",
    "https://user:password@api.example.com/me", "ftp://api.example.com/me", "file:///etc/passwd", "data:application/json,{}",
  ])("is not called: %s", async (url) => {
    const called = vi.spyOn(globalThis, "fetch");
    await expect(get(url)).rejects.toThrow("is not a valid provider address");
    expect(called).not.toHaveBeenCalled();
  });

  test("on this machine is called without encryption, but not in production", async () => {
    const url = await serve((_, response) => response.end("a=b"));
    expect((await get(url)).status).toBe(200);
    const production = new Outbound({ ...options, production: true });
    await expect(production.send({ method: "GET", url })).rejects.toThrow("is not a valid provider address");
  });
});
