import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { packed } from "../../../../runtime/monitoring/records/record-packer.ts";
import { requestRecord, startStore, storePath } from "../../../support/monitoring-store.ts";

/** The nice value of each thread of this process (proc(5): the nineteenth field). */
function niceValues(): number[] {
  return readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}

test.runIf(process.platform === "linux")(
  "the worker lets requests go first, and nothing else does",
  async () => {
    const own = getPriority();
    const before = niceValues().filter((nice) => nice === 19).length;
    const { store } = startStore(storePath());
    await store.write({ records: packed([requestRecord()]), logs: [] });
    expect(niceValues().filter((nice) => nice === 19)).toHaveLength(before + 1);
    expect(getPriority()).toBe(own);
    await store.close();
  },
);
