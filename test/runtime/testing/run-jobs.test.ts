import { expect, test } from "vitest";
import { startTestService } from "#runtime/testing/index";
import { service } from "../../http/fixture/generated/index.ts";
import { afterFile } from "../../support/after-file.ts";
import { fixtureApp } from "../../support/temporary-folder.ts";

const root = fixtureApp({ email: { provider: "log" } });
const app = await startTestService(service, { root });
afterFile(() => app.stop());

const ran = () => app.log.filter(({ msg }) => msg === "a job of the fixture").length;

test("runs what is due, with what it sends, and nothing before it is told to", async () => {
  await app.jobs.enqueue("send-later", { text: "a", again: 3 });
  await app.settled();
  expect(ran()).toBe(0);
  await app.runJobs();
  expect(ran()).toBe(4);
  await app.runJobs();
  expect(ran()).toBe(4);
});

test("what waits for its time runs where one looks ahead", async () => {
  const before = ran();
  const inAnHour = new Date(Date.now() + 3_600_000);
  await app.jobs.enqueue("send-later", { text: "a" }, { run_at: inAnHour });
  await app.runJobs();
  expect(ran()).toBe(before);
  await app.runJobs({ ahead: true });
  expect(ran()).toBe(before + 1);
});

test("a payload that does not fit is refused", async () => {
  await expect(Reflect.apply(app.jobs.enqueue, app.jobs, ["send-later", {}])).rejects.toThrow(
    "the job send-later cannot be sent: payload.text is required",
  );
});

test("one that fails is told of, once the others have run", async () => {
  const before = ran();
  await app.jobs.enqueue("send-later", { text: "a" });
  await app.database.query("update kirak_jobs.jobs set payload = '{}', run_at = now() - interval '1 hour'");
  await app.jobs.enqueue("send-later", { text: "b" });
  await expect(app.runJobs()).rejects.toThrow(
    /^the job send-later has failed, attempt 2 of 2: its payload does not fit: text is required$/,
  );
  expect(ran()).toBe(before + 1);
  // Once, whatever is left of it.
  await app.runJobs();
});
