import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { compiled } from "../../support/compiled.ts";
import { eventually } from "../../support/eventually.ts";
import { runnable, testQueue } from "../../support/queue.ts";

const queue = await testQueue();
const program = compiled(new URL("work-in-process.ts", import.meta.url));

it("a job whose process is killed is not lost, waits until that process is taken to be gone, and has used up an attempt", async () => {
  const child = fork(program, [queue.url]);
  const id = await queue.send("killed", { n: 1 }, { queue: "of the killed" });
  await once(child, "message");
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
  expect(await queue.rows()).toMatchObject([{ id, running: true, attempts: 1 }]);
  const seen: unknown[] = [];
  const worker = queue.work([runnable("killed", { run: async (run) => void seen.push(run) })], {
    rhythm: { beatMs: 40, silentMs: 400 },
  });
  await eventually(async () => expect([seen.length, await queue.rows()]).toEqual([1, []]));
  await worker.stop(5000);
  expect(seen).toMatchObject([{ id, attempt: 2, payload: { n: 1 } }]);
});
