import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { parseCron } from "#vocabulary/jobs";
import { eventually } from "../../../support/eventually.ts";
import { runnable, type TestQueue, testQueue } from "../../../support/queue.ts";

let queue: TestQueue;
const seen: unknown[] = [];
const run = async ({ payload }: { payload: unknown }) => void seen.push(payload);

beforeEach(async () => {
  queue = await testQueue();
  seen.length = 0;
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
});

/** The end of that minute, by the process clock, which is then frozen: timers for the next one are short. */
const setMinute = (minute: number) => vi.setSystemTime(new Date(Date.UTC(2026, 0, 1, 4, minute, 59, 900)));

it("cron sends a job once over two workers, with {}, and does not make up for minutes that were slept through", async () => {
  setMinute(29);
  const job = runnable("by the clock", { cron: parseCron("* * * * *"), attempts: 3, queue: "clock", run });
  const workers = [queue.work([job]), queue.work([job])];
  await queue.atWork(2);
  for (const [minute, times] of [
    [30, 1],
    [35, 2],
    [36, 3],
  ] as const) {
    setMinute(minute);
    await eventually(() => expect(seen).toEqual(Array(times).fill({})));
  }
  await Promise.all(workers.map((worker) => worker.stop(5000)));
  expect(await queue.rows()).toEqual([]);
  expect(await queue.query("select * from kirak_jobs.crons")).toEqual([
    { name: "by the clock", sent_at: new Date("2026-01-01T04:36:00Z") },
  ]);
});

it("cron begins when a service comes back, however long it was away, and sends within the minute what the database refused", async () => {
  await queue.query("insert into kirak_jobs.crons values ('by the clock', '2026-01-01T04:01:00Z')");
  setMinute(29);
  const worker = queue.work([runnable("by the clock", { cron: parseCron("30-31 4 * * *"), run })]);
  await queue.atWork(1);
  await queue.query("alter table kirak_jobs.crons rename to away");
  setMinute(30);
  await eventually(() =>
    expect(worker.log.map(({ msg }) => msg)).toEqual([
      "cannot enqueue a scheduled job: retrying until the minute is over",
    ]),
  );
  await queue.query("alter table kirak_jobs.away rename to crons");
  await eventually(() => expect(seen).toEqual([{}]));
  setMinute(31);
  await eventually(() => expect(seen).toEqual([{}, {}]));
});
