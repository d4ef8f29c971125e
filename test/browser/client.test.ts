import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocument } from "#generator/emit/openapi/document";
import { service as definition } from "../generator/support/definitions.ts";
import { account, accounts, session } from "../support/accounts.ts";
import { testBrowser } from "../support/browser.ts";
import { clientScript } from "../support/client.ts";
import { errorOf, frontOf } from "../support/front.ts";
import { claimsOf, signed, tokenOf } from "../support/service-token.ts";
import { storageService } from "../support/storage.ts";

const browser = testBrowser();
const limit = { origin: "manifest", limit: null } as const;
const limits = { upload: limit, delete: limit, url: limit, list: limit, move: limit };
const document = openApiDocument({
  ...definition(),
  storage: { slug: "storage", servesFiles: true, resumable: false, limits },
});
const service = await storageService();
const front = await frontOf(service.origin);
const refresh = session(1);
const refreshes = () => front.lines().filter((line) => line === "POST /auth/refresh-token").length;

const page = `<!doctype html><meta charset="utf-8"><title>app</title><script>${clientScript(document)}
const { createClient, browserStorage } = client;
const store = browserStorage("app");
</script>`;

/** A session whose access token has ended. */
const ended = () => {
  const now = Math.floor(Date.now() / 1000);
  const accessToken = signed({ ...claimsOf("admin"), iat: now - 7200, exp: now - 3600 });
  return { accessToken, refreshToken: refresh.token, expiresAt: Date.now() + 3_600_000 };
};

beforeEach(async () => {
  front.reset();
  front.always("/app", { status: 200, headers: { "content-type": "text/html" }, body: page });
  await service.store(accounts([account(1, { role: "admin" })], [refresh.row]));
  await service.place({});
});

async function open(): Promise<Page> {
  if (browser === null) throw new Error("there is no browser");
  const { page } = await browser.open(front.url);
  await page.goto(`${front.url}/app`);
  return page;
}

interface Uploaded {
  readonly told: readonly { readonly loaded: number; readonly total: number }[];
  readonly data: unknown;
  readonly error: string | undefined;
}

/** Uploads so many bytes. `more` is code of the page that has `controller` and `upload`. */
function upload(page: Page, token: string | null, bytes: number, more = ""): Promise<Uploaded> {
  return page.evaluate(`(async () => {
    const api = createClient({ url: "", storage: store ${token === null ? "" : `, token: ${JSON.stringify(token)}`} });
    const told = [];
    const controller = new AbortController();
    const onProgress = (progress) => { told.push(progress); ${more} };
    const file = new Blob([new Uint8Array(${bytes})]);
    const upload = api.storage.uploadFile({ file, path: "a.bin", onProgress }, { signal: controller.signal });
    const { data, error } = await upload.result();
    return { told, data, error: error?.error };
  })()`);
}

function expectRising({ told }: Uploaded): void {
  for (const [index, { loaded }] of told.entries())
    expect(loaded).toBeGreaterThanOrEqual(told[index - 1]?.loaded ?? 0);
  expect(told.at(-1)?.loaded).toBe(told.at(-1)?.total);
}

describe.runIf(browser !== null)("in Chromium", () => {
  test("an upload reports its progress, up to its end", async () => {
    const found = await upload(await open(), tokenOf("admin"), 8_000_000);
    expect(found).toMatchObject({ data: { size: 8_000_000 } });
    expect(found.told.length).toBeGreaterThan(1);
    expectRising(found);
  });

  test("the progress does not fall where the upload begins again with a new token", async () => {
    const tab = await open();
    await tab.evaluate(`store.set(${JSON.stringify(ended())})`);
    const found = await upload(tab, null, 24_000_000);
    expect(found).toMatchObject({ data: { size: 24_000_000 } });
    expect(front.lines().filter((line) => line === "POST /storage/upload/file")).toHaveLength(2);
    expectRising(found);
  });

  test("an aborted upload is ABORTED, and leaves nothing", async () => {
    front.always("/storage/upload/file", "silence");
    const found = await upload(await open(), tokenOf("admin"), 8_000_000, "controller.abort();");
    expect(found).toMatchObject({ error: "ABORTED", told: { length: 1 } });
    // The connection is closed, before or after the whole body has arrived.
    await expect.poll(() => front.left.length).toBe(front.arrived.length - 1);
    expect(await service.files()).toEqual({});
  });

  test("the progress does not fall in a second try, and an empty file has one", async () => {
    const tab = await open();
    front.play(errorOf(503, "HTTP_ERROR", { "retry-after": "0" }));
    const found = await upload(tab, tokenOf("admin"), 8_000_000);
    expect(found).toMatchObject({ data: { size: 8_000_000 } });
    expectRising(found);
    await service.place({});
    const empty = await upload(tab, tokenOf("admin"), 0);
    expect(empty).toMatchObject({ data: { size: 0 } });
    expectRising(empty);
  });

  test("a redirect of an upload to another host does not get the token", async () => {
    const tab = await open();
    const other = await frontOf(service.origin);
    const allowed = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "authorization, content-type",
    };
    other.always("/taken", { status: 200, headers: allowed });
    front.always("/storage/upload/file", { status: 307, headers: { location: `${other.url}/taken` } });
    expect(await upload(tab, tokenOf("admin"), 10)).toMatchObject({ error: expect.any(String) });
    for (const { headers } of other.arrived) expect(headers).not.toHaveProperty("authorization");
    expect(other.lines()).toContain("POST /taken");
  });

  test("a failed upload has the error of the service, and no last progress", async () => {
    await service.place({ "a.bin": "x" });
    const found = await upload(await open(), tokenOf("admin"), 10);
    expect(found).toMatchObject({ error: "HTTP_ERROR" });
  });

  test("two tabs refresh in turns: one refresh, one session", async () => {
    const one = await open();
    await one.evaluate(`store.set(${JSON.stringify(ended())})`);
    const two = await one.context().newPage();
    await two.goto(`${front.url}/app`);
    const calls = `(() => {
      const api = createClient({ url: "", storage: store, retries: 0 });
      return Promise.all(Array.from({ length: 5 }, () => api.auth.me().result().then(({ ok }) => ok)));
    })()`;
    const answers = await Promise.all([one.evaluate(calls), two.evaluate(calls)]);
    expect(answers.flat()).toEqual(Array.from({ length: 10 }, () => true));
    expect(refreshes()).toBe(1);
    expect(await one.evaluate("store.get()")).toEqual(await two.evaluate("store.get()"));
    await two.close();
  });

  test("a session is in localStorage, also for the next page, until its end", async () => {
    const tab = await open();
    await tab.evaluate(`store.set(${JSON.stringify(ended())})`);
    await tab.reload();
    expect(await tab.evaluate("store.get()")).toMatchObject({ refreshToken: refresh.token });
    await tab.evaluate(`createClient({ url: "", storage: store }).auth.logout()`);
    expect(await tab.evaluate("localStorage.length")).toBe(0);
    await tab.evaluate(`localStorage.setItem("app", "{")`);
    expect(await tab.evaluate("store.get()")).toBeNull();
  });
});
