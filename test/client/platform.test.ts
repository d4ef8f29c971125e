import { createContext, runInContext } from "node:vm";
import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import { service as definition } from "../generator/support/definitions.ts";
import { account, accounts, password } from "../support/accounts.ts";
import { type ClientModule, clientScript, fixtureDocument } from "../support/client.ts";
import { frontOf } from "../support/front.ts";
import { testService } from "../support/service.ts";

const service = await testService();
const front = await frontOf(service.origin);

/** A form as React Native has it: it keeps its own kind of files. */
class NativeForm {
  readonly parts: [name: string, value: unknown][] = [];
  append(name: string, value: unknown): void {
    this.parts.push([name, value]);
  }
}

/** A signal without reason, `any`, `timeout` and `throwIfAborted`. */
class OldSignal {
  aborted = false;
  readonly listeners = new Set<() => void>();
  addEventListener(_: string, listener: () => void): void {
    this.listeners.add(listener);
  }
  removeEventListener(_: string, listener: () => void): void {
    this.listeners.delete(listener);
  }
}

class OldController {
  readonly signal = new OldSignal();
  abort(): void {
    this.signal.aborted = true;
    for (const listener of this.signal.listeners) listener();
  }
}

const bodies: unknown[] = [];

/** The parts of the platform that a client needs, and no others: neither `URL` nor `Headers`, `Response`, `Blob` or `AbortSignal`. */
const platform = {
  fetch: (url: string, { signal: _, ...init }: RequestInit) => {
    bodies.push(init.body);
    return fetch(url, init.body instanceof NativeForm ? { ...init, body: "" } : init);
  },
  ...{ AbortController: OldController, FormData: NativeForm, setTimeout, clearTimeout },
};

function moduleIn(globals: object, document = fixtureDocument()): ClientModule {
  const context = createContext({ ...globals });
  runInContext(clientScript(document), context);
  return runInContext("client", context);
}

beforeEach(async () => {
  await service.store({ ...accounts([account(1)]), folders: [{ name: "a" }, { name: "b" }] });
  front.reset();
});

test("the module does nothing when it is loaded, and exports what is public only", () => {
  const names = Object.keys(moduleIn({})).sort();
  expect(names).toEqual(["ApiError", "browserStorage", "createClient", "isApiError"]);
});

describe("with only the parts of the platform that every one has", () => {
  const { createClient } = moduleIn(platform);
  const client = createClient({ url: front.url, retries: 1 });

  test("queries, iterations, errors and retries work", async () => {
    front.play("drop");
    expect(await client.folders.fetch({ where: { name: "a" }, select: ["name"] })).toEqual([{ name: "a" }]);
    const rows: unknown[] = [];
    for await (const row of client.folders.fetch({ limit: 1 })) rows.push(row);
    expect(rows).toHaveLength(2);
    const failed = await client.folders.create({}).result();
    expect(failed).toMatchObject({
      ok: false,
      error: { error: "PERMISSION_DENIED", requestId: expect.any(String) },
    });
  });

  test("sessions work", async () => {
    await client.auth.login({ email: "user1@example.com", password });
    await client.session.set(Object.assign((await client.session.get()) ?? {}, { expiresAt: 0 }) as never);
    expect(await client.auth.me()).toMatchObject({ user_id: 1 });
    await client.auth.logout();
    expect(await client.session.get()).toBeNull();
  });

  test("an abort without a reason throws the error itself", async () => {
    front.always("/folders/count", "silence");
    const controller = new OldController();
    const call = client.folders.count(undefined, { signal: controller.signal });
    await front.reached(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ error: "ABORTED", status: 0 });
    await expect(client.folders.count(undefined, { timeout: 20 })).rejects.toMatchObject({
      error: "TIMEOUT",
    });
  });
});

test("a file of React Native is sent as its forms take it", async () => {
  const limit = { origin: "manifest", limit: null } as const;
  const limits = { upload: limit, delete: limit, url: limit, list: limit, move: limit };
  const document = openApiDocument({
    ...definition(),
    storage: { slug: "storage", servesFiles: true, resumable: false, limits },
  });
  const { storage } = moduleIn(platform, document).createClient({ url: front.url });
  const file = { uri: "file:///a.png", name: "a.png", type: "image/png" };
  front.play({ status: 200, body: { statusCode: 200, status: "success", message: "", data: { url: "u" } } });
  expect(await storage.uploadFile({ file, path: "a/", overwrite: true })).toEqual({ url: "u" });
  expect(bodies.at(-1)).toMatchObject({
    parts: [
      ["path", "a/"],
      ["overwrite", "true"],
      ["file", file],
    ],
  });
});

describe("the progress of an upload", () => {
  const limit = { origin: "manifest", limit: null } as const;
  const limits = { upload: limit, delete: limit, url: limit, list: limit, move: limit };
  const storage = { slug: "storage", servesFiles: true, resumable: false, limits };
  const document = openApiDocument({ ...definition(), storage });
  const success = { statusCode: 200, status: "success", message: "", data: { url: "u" } };
  const busy = { statusCode: 503, status: "error", error: "HTTP_ERROR", message: "", data: null };

  /** Each request has the next of these: what is reported, and the answer. */
  let plays: [progress: [loaded: number, total: number][], answer: { statusCode: number }][] = [];
  let urls: string[] = [];
  class FakeRequest {
    readonly upload: { onprogress?: (progress: object) => void } = {};
    status = 0;
    responseText = "";
    onload = () => {};
    open(_: string, url: string): void {
      urls.push(url);
    }
    setRequestHeader(): void {}
    getResponseHeader(name: string): string | null {
      return name === "retry-after" ? "0" : null;
    }
    send(): void {
      const [progress, answer] = plays.shift() ?? [[], success];
      for (const [loaded, total] of progress)
        this.upload.onprogress?.({ loaded, total, lengthComputable: total > 0 });
      this.status = answer.statusCode;
      this.responseText = JSON.stringify(answer);
      this.onload();
    }
  }
  const { createClient } = moduleIn({ ...platform, XMLHttpRequest: FakeRequest }, document);

  async function progressOf(...next: typeof plays) {
    plays = next;
    urls = [];
    const told: [loaded: number, total: number][] = [];
    const onProgress = ({ loaded, total }: Record<"loaded" | "total", number>) =>
      void told.push([loaded, total]);
    const file = { uri: "file:///a.png", name: "a.png", type: "image/png" };
    await createClient({ url: front.url }).storage.uploadFile({ file, onProgress });
    return told;
  }

  // biome-ignore format: one case a line
  test.each<[name: string, plays: typeof plays, told: [loaded: number, total: number][]]>([
    ["rises to the total", [[[[4, 9], [9, 9]], success]], [[4, 9], [9, 9], [9, 9]]],
    ["does not fall in a second try", [[[[8, 9]], busy], [[[4, 9], [9, 9]], success]], [[8, 9], [8, 9], [9, 9], [9, 9]]],
    ["of an unknown length ends at what was sent", [[[[4, 0], [9, 0]], success]], [[4, 4], [9, 9], [9, 9]]],
    ["of an empty file has an end", [[[], success]], [[0, 0]]],
  ])("%s", async (_, plays, told) => {
    expect(await progressOf(...plays)).toEqual(told);
  });

  test("is reported once, at the end, with an API key: a redirect would send the key on", async () => {
    front.play({ status: 200, body: success });
    urls = [];
    const told: object[] = [];
    const client = createClient({ url: front.url, apiKey: "key" });
    const file = new Blob(["abc"]);
    await client.storage.uploadFile({ file, onProgress: (progress: object) => void told.push(progress) });
    expect([told, urls, front.arrived.length]).toEqual([[{ loaded: 3, total: 3 }], [], 1]);
  });
});
