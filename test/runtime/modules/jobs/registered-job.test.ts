import { describe, expect, it } from "vitest";
import { type DeclaredJobs, defineJob, JobError, registerJobs } from "#runtime/modules/jobs/index";
import { isCronTime, parseCron } from "#vocabulary/jobs";

const payload = { type: "object" } as const;
const needy = { type: "object", required: ["id"] } as const;
const run = () => {};

describe("jobs that cannot run are named at the start", () => {
  // biome-ignore format: one case a line
  it.each<[string, DeclaredJobs, string]>([
    ["four fields", { a: { payload, run, cron: "* * * *" } }, 'cron needs five fields, minute hour day month weekday, not "* * * *"'],
    ["a minute", { a: { payload, run, cron: "60 * * * *" } }, "the minute of cron must be from 0 to 59"],
    ["a month", { a: { payload, run, cron: "0 0 1 JAN *" } }, "the month of cron must be from 1 to 12"],
    ["a span", { a: { payload, run, cron: "0 5-3 * * *" } }, "the hour of cron"],
    ["a step", { a: { payload, run, cron: "*/0 * * * *" } }, "the minute of cron"],
    ["what cron sends", { a: { payload: needy, run, cron: "* * * * *" } }, "cron sends the payload {}, which the schema does not allow"],
    ["no attempts", { a: { payload, run, attempts: 0 } }, "attempts must be a whole number from 1 to 1000"],
    ["a half", { a: { payload, run, attempts: 1.5 } }, "attempts must be a whole number from 1 to 1000"],
    ["no time", { a: { payload, run, timeout_seconds: 0 } }, "timeout_seconds must be a whole number from 1 to 10800"],
    ["four hours", { a: { payload, run, timeout_seconds: 14400 } }, "timeout_seconds must be a whole number from 1 to 10800"],
    ["no queue", { a: { payload, run, queue: "" } }, "queue must be a string of 1 to 100 characters"],
    ["a list", { a: Object({ payload: { type: "array" }, run }) }, "payload must be the JSON Schema of an object"],
    ["not a JSON Schema", { a: { payload: Object({ type: "object", properties: { a: { type: "txt" } } }), run } }, "payload is not a JSON Schema"],
    ["no function", { a: Object({ payload }) }, "run must be a function"],
    ["a name", { "A b": { payload, run } }, "models/jobs/A b.ts: the name of a job is lower-case letters"],
  ])("%s", (_, jobs, message) => {
    expect(() => registerJobs(jobs)).toThrow(JobError);
    expect(() => registerJobs(jobs)).toThrow(message);
  });

  it("all of them at once, each with its file", () => {
    const wrong = defineJob({ payload, run, attempts: -1 });
    expect(() => registerJobs({ one: wrong, two: wrong })).toThrow(
      /models\/jobs\/one\.ts: attempts .*\n.*models\/jobs\/two\.ts: attempts/,
    );
  });

  it("a job without settings has ten attempts with a timeout of a minute", () => {
    expect(registerJobs({ plain: defineJob({ payload, run }) }).get("plain")).toMatchObject({
      attempts: 10,
      timeoutMs: 60_000,
      cron: null,
      queue: null,
    });
  });
});

describe("cron", () => {
  it.each([
    ["* * * * *", "2026-11-23T18:07:00Z", true],
    ["*/15 * * * *", "2026-11-23T18:45:59Z", true],
    ["*/15 * * * *", "2026-11-23T18:46:00Z", false],
    ["30 4 * * 1-5", "2026-11-23T04:30:00Z", true],
    ["30 4 * * 1-5", "2026-11-22T04:30:00Z", false],
    ["30 4 * * 1-5", "2026-11-23T04:30:00+02:00", false],
    ["0 0 * * 7", "2026-11-22T00:00:00Z", true],
    ["0 0 * * 0", "2026-11-22T00:00:00Z", true],
    ["0 0 * * 5-7", "2026-11-22T00:00:00Z", true],
    ["0 0 1,15 * *", "2026-11-15T00:00:00Z", true],
    ["0 0 1 1 *", "2026-11-01T00:00:00Z", false],
    ["0 8-18/5 * * *", "2026-11-23T13:00:00Z", true],
    ["0 8-18/5 * * *", "2026-11-23T14:00:00Z", false],
    // Either one, where days in the month and in the week are both given.
    ["0 0 1 * 1", "2026-11-23T00:00:00Z", true],
    ["0 0 1 * 1", "2026-11-01T00:00:00Z", true],
    ["0 0 1 * 1", "2026-11-24T00:00:00Z", false],
  ])("%s at %s: %s", (expression, moment, expected) => {
    expect(isCronTime(parseCron(expression), new Date(moment))).toBe(expected);
  });
});
