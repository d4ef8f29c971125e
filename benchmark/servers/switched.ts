/**
 * The generated service with monitoring (store `BENCHMARK_METRICS`, sample rate `BENCHMARK_SAMPLE_RATE`), which records by turns and not:
 * two processes of one program differ by more than monitoring costs. Without a store it never records, and its turns tell how much
 * chance is in it. `begin` begins to count, `turns` answers what was counted.
 */
import { readFileSync } from "node:fs";
import { noTrace } from "#runtime/core/concurrency/index";
import { createHttpServer } from "#runtime/index";
import { createBookshop } from "./bookshop.ts";
import { serve } from "./serve.ts";

/** One turn of the main thread: its CPU time in microseconds, and the requests that arrived in it. */
export interface Turn {
  readonly recorded: boolean;
  readonly cpu: number;
  readonly requests: number;
}

const turnMs = 100;
let recorded = false;
let requests = 0;
let turns: Turn[] = [];
let begun = 0;

function cpuOfMainThread(): number {
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1_000;
}

const databasePath = process.env["BENCHMARK_METRICS"];
const sampleRate = Number(process.env["BENCHMARK_SAMPLE_RATE"] ?? 1);
const app = await createBookshop({
  models: 10,
  ...(databasePath !== undefined && { monitoring: { sampleRate, databasePath } }),
  recorder: (recorder) => ({
    arrived(headers) {
      requests++;
      return recorded && recorder !== null ? recorder.arrived(headers) : noTrace;
    },
    done(request, response) {
      if (request.context.trace !== noTrace) recorder?.done(request, response);
    },
  }),
});

setInterval(() => {
  turns.push({ recorded, cpu: cpuOfMainThread() - begun, requests });
  recorded = !recorded;
  requests = 0;
  begun = cpuOfMainThread();
}, turnMs);

process.on("message", (message) => {
  if (message === "begin") {
    turns = [];
    process.send?.({});
  } else if (message === "turns") process.send?.({ turns });
});

serve(createHttpServer(app));
