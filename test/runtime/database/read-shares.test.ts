import { describe, expect, test } from "vitest";
import { NoAnswerError } from "#runtime/database/connection-error";
import { ReadShares } from "#runtime/database/read-shares";

/** Work that goes on until it is told to end. */
function workOf(log: string[], name: string) {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    log.push(name);
    await done;
    return name;
  };
  return { work, end };
}

const limits = { atOnce: 1, waiting: 100, longestWaitMs: 10_000 };

const turns = () => new Promise((resolve) => setImmediate(resolve));

describe("the share of a caller", () => {
  test("is what he has under way; the rest waits in order, and others do not", async () => {
    const shares = new ReadShares({ ...limits, atOnce: 2 });
    const log: string[] = [];
    const works = ["a1", "a2", "a3", "a4", "b1"].map((name) => workOf(log, name));
    const ended = works.map(({ work }, at) => shares.hold(at < 4 ? "a" : "b", work));
    await turns();
    expect(log).toEqual(["a1", "a2", "b1"]);
    works[1]?.end();
    await turns();
    expect(log).toEqual(["a1", "a2", "b1", "a3"]);
    for (const { end } of works) end();
    expect(await Promise.all(ended)).toEqual(["a1", "a2", "a3", "a4", "b1"]);
  });

  test("is given back by what fails", async () => {
    const shares = new ReadShares(limits);
    const fail = () => shares.hold("a", () => Promise.reject(new Error("no")));
    await expect(fail()).rejects.toThrow("no");
    await expect(fail()).rejects.toThrow("no");
    expect(await shares.hold("a", async () => "next")).toBe("next");
  });

  test("is not waited for longer than for a connection, and who gave up gets no turn", async () => {
    const shares = new ReadShares({ ...limits, longestWaitMs: 20 });
    const log: string[] = [];
    const first = workOf(log, "first");
    const held = shares.hold("a", first.work);
    await expect(shares.hold("a", workOf(log, "second").work)).rejects.toThrow(NoAnswerError);
    first.end();
    await held;
    expect(await shares.hold("a", async () => "third")).toBe("third");
    expect(log).toEqual(["first"]);
  });

  test("is waited for by so many of its reads and no more: others of it are refused at once, those of another caller are not", async () => {
    const shares = new ReadShares({ ...limits, waiting: 2 });
    const log: string[] = [];
    const works = ["a1", "a2", "a3", "b1", "b2"].map((name) => workOf(log, name));
    const ended = works.map(({ work }, at) => shares.hold(at < 3 ? "a" : "b", work));
    await expect(shares.hold("a", workOf(log, "a4").work)).rejects.toThrow(NoAnswerError);
    expect(await shares.hold("c", async () => "c1")).toBe("c1");
    for (const { end } of works) end();
    await Promise.all(ended);
    expect(await shares.hold("a", async () => "a5")).toBe("a5");
    expect(log.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2"]);
  });

  test("has room again where somebody has waited for too long", async () => {
    const shares = new ReadShares({ ...limits, waiting: 1, longestWaitMs: 20 });
    const first = workOf([], "first");
    const held = shares.hold("a", first.work);
    await expect(shares.hold("a", workOf([], "second").work)).rejects.toThrow("took too long");
    const third = shares.hold("a", async () => "third");
    first.end();
    await held;
    expect(await third).toBe("third");
  });
});
