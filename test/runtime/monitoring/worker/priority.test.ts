import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { requestRecord, startStore, storePath } from "../../../support/monitoring-store.ts";

/** The nice value of each thread of this process (proc(5): the nineteenth field). */
function niceValues(): Map<string, number> {
  const values = new Map<string, number>();
  for (const thread of readdirSync("/proc/self/task")) {
    try {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
      values.set(thread, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]));
    } catch {
      // It has ended meanwhile.
    }
  }
  return values;
}

test.runIf(process.platform === "linux")(
  "the worker lets requests go first, and no other thread does",
  async () => {
    const before = niceValues();
    const { store } = startStore(storePath());
    await store.write({ records: [requestRecord()], logs: [] });
    const after = niceValues();
    const own = before.get(String(process.pid)) ?? 0;
    const lowered = [...after].filter(([thread, nice]) => nice !== (before.get(thread) ?? own));
    expect(lowered.map(([, nice]) => nice)).toEqual([Math.max(own, 10)]);
    await store.close();
  },
);
