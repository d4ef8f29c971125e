import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import type { Savepoint } from "#runtime/core/database/index";
import type { StorageOptions } from "#runtime/modules/storage/index";
import { lazyStorage } from "#runtime/server/lazy-storage";
import { serveApplication } from "../../support/application.ts";
import { sendRequest } from "../../support/request.ts";
import { silent } from "../../support/silent-log.ts";
import { leastStorageSettings } from "../../support/storage.ts";

const options: StorageOptions = {
  settings: leastStorageSettings,
  baseUrl: "http://localhost",
  secret: [createSecretKey(Buffer.alloc(32))],
  log: silent,
};

/** A part of a transaction that records its calls. */
function noted(): { readonly part: Savepoint; readonly asked: string[] } {
  const asked: string[] = [];
  const part: Savepoint = {
    afterCommit: (_, subject) => void asked.push(`commit ${subject}`),
    onRollback: (_, subject) => void asked.push(`rollback ${subject}`),
    noteSideEffect() {},
    hasSideEffects: false,
    get whole() {
      return part;
    },
  };
  return { part, asked };
}

test("once it is loaded a transaction hears of a removal at once, also of a hook that does not wait", async () => {
  const { forHooks } = lazyStorage(options);
  const { part, asked } = noted();
  const files = forHooks(part, silent);
  await files.remove("a");
  asked.length = 0;
  const removed = files.remove("b");
  expect(asked).toEqual(["commit b", "rollback b"]);
  await removed;
});

test("a failed load is retried", async () => {
  let isBroken = true;
  const { forHooks } = lazyStorage({
    ...options,
    get settings() {
      if (isBroken) throw new Error("too many open files");
      return options.settings;
    },
  });
  const files = forHooks(null, silent);
  const both = await Promise.allSettled([files.url("a"), files.url("b")]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isBroken = false;
  expect(await files.url("a")).toMatch("http://localhost/storage/files/a?");
});

test("requests that come while it is loaded share one router", async () => {
  let made = 0;
  const front = {
    get callerOf(): () => Promise<never> {
      made++;
      return () => Promise.reject(new Error("this test never calls it"));
    },
    counters: new Map(),
  };
  const { router } = lazyStorage(options);
  const held: (() => void)[] = [];
  const { origin } = await serveApplication((app) => {
    app.use((_request, _response, next) => {
      if (held.push(next) === 3) for (const goOn of held) goOn();
    });
    app.use("/storage", router(front));
  });
  const ask = () => sendRequest(origin, { method: "GET", path: "/storage/none" });
  const replies = await Promise.all([ask(), ask(), ask()]);
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(made).toBe(1);
});
