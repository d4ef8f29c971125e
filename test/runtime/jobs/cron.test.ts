import { expect, it, onTestFinished, vi } from "vitest";
import { parseCron } from "#vocabulary/cron-times";
import { eventually } from "../../support/eventually.ts";
import { runnable, testQueue } from "../../support/queue.ts";

const queue = await testQueue();

/** The end of that minute, by the clock of the process, which then stands still: timers for the next one are short. */
const setMinute = (minute: number) => vi.setSystemTime(new Date(Date.UTC(2026, 0, 1, 4, minute, 59, 900)));

it("cron sends a job once over two workers, with {}, and does not make up for minutes that were slept through", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  setMinute(29);
  const seen: unknown[] = [];
  const job = runnable("by the clock", {
    cron: parseCron("* * * * *"),
    attempts: 3,
    queue: "of the clock",
    run: async ({ payload }) => void seen.push(payload),
  });
  const workers = [queue.work([job]), queue.work([job])];
  const known = "select from kirak_jobs.workers";
  await eventually(async () => expect(await queue.query(known)).toHaveLength(2));
  setMinute(30);
  await eventually(() => expect(seen).toEqual([{}]));
  setMinute(35);
  await eventually(() => expect(seen).toEqual([{}, {}]));
  setMinute(36);
  await eventually(() => expect(seen).toEqual([{}, {}, {}]));
  await Promise.all(workers.map((worker) => worker.stop(5000)));
  expect(await queue.rows()).toEqual([]);
  expect(
    await queue.query("select identifier, last_execution from kirak_jobs._private_known_crontabs"),
  ).toEqual([{ identifier: "by the clock", last_execution: new Date("2026-01-01T04:36:00Z") }]);
});

it("cron begins where a service comes back, however long it was away", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  setMinute(29);
  await queue.query("update kirak_jobs._private_known_crontabs set last_execution = '2026-01-01T04:01:00Z'");
  const seen: unknown[] = [];
  const run = async () => void seen.push(1);
  queue.work([runnable("by the clock", { cron: parseCron("* * * * *"), run })]);
  await eventually(async () => expect(await queue.query("select from kirak_jobs.workers")).toHaveLength(1));
  setMinute(30);
  await eventually(() => expect(seen).toEqual([1]));
  setMinute(31);
  await eventually(() => expect(seen).toEqual([1, 1]));
});
