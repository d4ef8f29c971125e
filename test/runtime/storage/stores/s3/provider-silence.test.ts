import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { fileKey as key, s3UnderTest } from "../../../../support/stores.ts";

afterEach(() => void vi.useRealTimers());

/** A store as it is by default, before a provider that hears nothing; time goes by as the test says. */
async function silent() {
  const { s3, store, put } = await s3UnderTest();
  await store.sign(key("a"), 60);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  s3.fault({ kind: "deaf" });
  const sent = async (count: number) => {
    while (s3.requests.length < count) await turn();
    await rest();
  };
  return { store, put, sent };
}

/** Waits for work on files: a body that is read moves the deadline, and a put ends with the removal of its file. */
async function rest(): Promise<void> {
  const isBusy = () => process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));
  for (let quiet = 0; quiet < 50; quiet = isBusy() ? 0 : quiet + 1) await turn();
}

/** What came of it so far. */
function outcomeOf(work: Promise<unknown>): () => string {
  let outcome = "under way";
  work.then(
    () => {
      outcome = "done";
    },
    (error: unknown) => {
      outcome = error instanceof Error ? error.name : "no error";
    },
  );
  return () => outcome;
}

async function passes(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  // A deadline looks once more at what has come.
  await rest();
}

test("a provider may be silent for 30 seconds", async () => {
  const { store, sent } = await silent();
  const outcome = outcomeOf(store.head(key("a")));
  await sent(1);
  await passes(29_900);
  expect(outcome()).toBe("under way");
  await passes(200);
  expect(outcome()).toBe("ProviderSilence");
});

test("a put is answered after 30 seconds, and what it may have stored is taken back after that", async () => {
  const { put, sent } = await silent();
  const outcome = outcomeOf(put(key("a")));
  await sent(1);
  await passes(30_100);
  expect(outcome()).toBe("ProviderSilence");
  await sent(2);
  const next = outcomeOf(put(key("a")));
  await passes(4_800);
  await sent(2);
  expect(next()).toBe("under way");
  await passes(300);
  await sent(3);
});
