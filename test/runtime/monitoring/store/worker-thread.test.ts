import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { WorkerThread } from "#runtime/monitoring/store/worker-store";
import { eventually } from "../../../support/eventually.ts";

test("a worker that never starts is told of while the pauses grow, then once for each cause, and again after it has worked", async () => {
  const folder = mkdtempSync(join(tmpdir(), "worker-"));
  const [starts, mood] = [join(folder, "starts"), join(folder, "mood")];
  const program = join(folder, "program.mjs");
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from "node:fs";
     import { parentPort } from "node:worker_threads";
     appendFileSync(${JSON.stringify(starts)}, "x");
     const mood = readFileSync(${JSON.stringify(mood)}, "utf8");
     if (mood === "works") parentPort.postMessage({ kind: "done", id: 0, answer: "" });
     throw new Error(mood);`,
  );
  const startedTimes = () => readFileSync(starts, "utf8").length;
  appendFileSync(starts, "");
  writeFileSync(mood, "broken");
  const said: string[] = [];
  let replies = 0;
  const thread = new WorkerThread({
    settings: { path: "", retentionDays: 1, maxDatabaseMb: 1 },
    log: { info: (line) => said.push(line), warn: (line) => said.push(line) },
    program: pathToFileURL(program),
    onReply: () => replies++,
    onEnd: () => {},
    longestPauseMs: 200,
  });
  await eventually(() => expect(startedTimes()).toBeGreaterThanOrEqual(5));
  expect(said).toEqual([
    expect.stringMatching(/again in 100 ms: broken/),
    expect.stringMatching(/again every 200 ms from now on: broken/),
  ]);
  writeFileSync(mood, "otherwise");
  await eventually(() => expect(said).toHaveLength(3));
  expect(said[2]).toMatch(/again every 200 ms from now on: otherwise/);
  writeFileSync(mood, "works");
  await eventually(() => expect(replies).toBe(1));
  await eventually(() => expect(said).toHaveLength(4));
  expect(said[3]).toMatch(/again in 100 ms: works/);
  await thread.close(1_000);
});
