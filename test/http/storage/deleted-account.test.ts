import { describe, expect, test } from "vitest";
import { BackgroundTasks } from "#runtime/core/concurrency/index";
import { prepareQueue } from "#runtime/modules/jobs/index";
import { startServiceWorker } from "#runtime/process/job-worker";
import { dataOf, sendAs, signIn } from "../../support/account-requests.ts";
import { account, accounts, countRows } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { silent } from "../../support/silent-log.ts";
import { storageProviders } from "../../support/storage-providers.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { stage } from "../fixture/stage.ts";

const files = {
  "users/1/a.txt": "a",
  "users/1/b/c.jpg": "c",
  "users/1/b/.thumbnails/c.jpg/small.jpg": "small",
  "users/1/.thumbnails/gone.jpg/small.jpg": "without its image",
  "users/11/a.txt": "of another user",
  "users/1.txt": "no folder",
};
const kept = { "users/11/a.txt": files["users/11/a.txt"], "users/1.txt": files["users/1.txt"] };

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start({ scope: "user" });
  const shared = await start({ scope: "shared" });
  await prepareQueue(service.url, silent);
  const jobs = () => countRows(service, "kirak_jobs.jobs");

  test("a job removes the files of a deleted account after the commit", async () => {
    await service.store(accounts([account(1), account(2)]));
    await service.place(files);
    const token = await signIn(service, 1);
    stage.hooks = { after_delete_account: () => Promise.reject(new Error("not now")) };
    expect((await sendAs(service, "DELETE /auth/me", token)).status).toBe(500);
    stage.hooks = {};
    expect(await jobs()).toBe(0);
    dataOf(await sendAs(service, "DELETE /auth/me", token));
    expect(await service.files()).toEqual(files);
    const { pool: database, config, url } = service;
    const background = new BackgroundTasks(silent);
    const peers = { cache: null, mailer: null, sms: null, monitoring: null, background };
    const worker = startServiceWorker(fixture, {
      config,
      log: silent,
      database,
      url,
      concurrency: 1,
      ...peers,
    });
    await eventually(async () => expect(await jobs()).toBe(0));
    await worker.stop(5000);
    expect(await service.files()).toEqual(kept);
  });

  test("files that users share stay", async () => {
    await shared.store(accounts([account(1), account(2)]));
    await shared.place(files);
    dataOf(await sendAs(shared, "DELETE /auth/me", await signIn(shared, 1)));
    expect(await shared.files()).toEqual(files);
  });
});
