import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { runnable, type TestQueue, testQueue } from "../../support/queue.ts";

let queue: TestQueue;

beforeAll(async () => {
  queue = await testQueue();
});

const rhythm = { beatMs: 40, silentMs: 400 };

/** A job that a worker has taken that long ago. */
async function taken(
  name: string,
  worker: string,
  seconds: number,
  more: { attempts?: number; queue?: string } = {},
) {
  const id = await queue.send(name, {}, more);
  const held = [worker, seconds, id];
  await queue.query(
    `update kirak_jobs._private_jobs set locked_by = $1, locked_at = now() - make_interval(secs => $2), attempts = 1 where id = $3`,
    held,
  );
  await queue.query(
    `update kirak_jobs._private_job_queues set locked_by = $1, locked_at = now() - make_interval(secs => $2)
      where id = (select job_queue_id from kirak_jobs._private_jobs where id = $3)`,
    held,
  );
  return id;
}

const rowsOf = async (name: string) => (await queue.rows()).filter((row) => row["name"] === name);

describe("a worker that is gone", () => {
  it("loses its jobs to the others, queues included: that attempt counts, and the last one was the last", async () => {
    await taken("gone", "killed", 60, { queue: "of the killed" });
    await taken("gone for good", "killed", 60, { attempts: 1 });
    await queue.query("insert into kirak_jobs.workers values ('killed', now() - interval '60 s')");
    const attempts: number[] = [];
    const worker = queue.work(
      [
        runnable("gone", { run: async ({ attempt }) => void attempts.push(attempt) }),
        runnable("gone for good"),
      ],
      { rhythm },
    );
    await eventually(async () => expect([attempts, await rowsOf("gone")]).toEqual([[2], []]));
    await worker.stop(5000);
    expect(await rowsOf("gone for good")).toMatchObject([
      { attempts: 1, max_attempts: 1, running: false, last_error: "the process that ran it is gone" },
    ]);
    expect(worker.log).toContainEqual(
      expect.objectContaining({
        job: "gone",
        level: 40,
        msg: "a job waits again: the process that ran it is gone",
      }),
    );
    expect(worker.log).toContainEqual(expect.objectContaining({ job: "gone for good", level: 50 }));
  });

  it("is not one that says that it is there, nor one that has just begun", async () => {
    await queue.query("insert into kirak_jobs.workers values ('busy', now() + interval '1 h')");
    const [busy, begun, gone] = [
      await taken("busy", "busy", 60),
      await taken("begun", "unheard", 0),
      await taken("left", "killed", 60),
    ];
    const worker = queue.work([runnable("none")], { rhythm: { beatMs: 10, silentMs: 2000 } });
    await eventually(async () =>
      expect(
        await queue.query("select locked_by from kirak_jobs._private_jobs where id = $1", [gone]),
      ).toEqual([{ locked_by: null }]),
    );
    const held = await queue.query(
      "select locked_by from kirak_jobs._private_jobs where id = any($1::bigint[]) order by id",
      [[busy, begun]],
    );
    expect(held).toEqual([{ locked_by: "busy" }, { locked_by: "unheard" }]);
    await worker.stop(5000);
  });
});
