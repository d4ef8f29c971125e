import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { StoreBusy, StoreUnreachable, WorkerThread } from "#runtime/modules/monitoring/store/worker-store";
import { NodeSqlite } from "#runtime/modules/monitoring/worker/database/sqlite";
import { afterFile } from "../../../../support/after-file.ts";
import { compiled } from "../../../../support/compiled.ts";
import { eventually } from "../../../../support/eventually.ts";
import {
  monitoringWorker,
  openStore,
  requestRecord,
  startStore,
  storePath,
} from "../../../../support/monitoring-store.ts";
import { needs } from "../../../../support/needs.ts";

const recent = { limit: 200, status: null };
const records = (...ids: readonly string[]) => ids.map((requestId) => requestRecord({ requestId }));
const batch = (...ids: readonly string[]) => ({ records: records(...ids), logs: [] });
const idsIn = (answer: string): string[] =>
  JSON.parse(answer).requests.map(({ request_id }: { request_id: string }) => request_id);

/** A program of a worker. */
function program(lines: string): URL {
  const file = join(mkdtempSync(join(tmpdir(), "worker-")), "program.mjs");
  writeFileSync(file, `import { parentPort } from "node:worker_threads";\n${lines}\n`);
  return pathToFileURL(file);
}

/** The real one, which does something else before it looks at a message `m`. */
function meddling(lines: string): URL {
  return program(`
    const on = parentPort.on.bind(parentPort);
    parentPort.on = (name, listener) => on(name, (m) => { ${lines}; listener(m); });
    await import(${JSON.stringify(monitoringWorker().href)});`);
}

test("written records can be read, also by the next process", async () => {
  const path = storePath();
  const { store, said } = startStore(path);
  const at = Date.now();
  const failed = requestRecord({ at, status: 500, errorCode: "INTERNAL_ERROR", durationMs: 12.3456 });
  await store.write({ records: [failed], logs: [] });
  const answer = await store.read("recent", recent);
  // biome-ignore format: many a line
  expect(JSON.parse(answer)).toEqual({
    requests: [
      {
        request_id: "request-1", method: "GET", route: "/books/fetch", status: 500, duration_ms: 12.346,
        at: new Date(at).toISOString(), user_id: null, role: "guest", error: "INTERNAL_ERROR",
      },
    ],
  });
  expect(Number(await store.read("size", {}))).toBeGreaterThan(10_000);
  await store.close();
  const next = startStore(path);
  expect(await next.store.read("recent", recent)).toBe(answer);
  await next.store.close();
  expect([...said, ...next.said]).toEqual([]);
});

test("several stores share a file: nothing is lost, and each sees all", async () => {
  const path = storePath();
  const stores = [startStore(path), startStore(path), startStore(path)];
  const writes = stores.flatMap(({ store }, one) =>
    Array.from({ length: 20 }, (_, turn) => store.write(batch(`${one}-${turn}-a`, `${one}-${turn}-b`))),
  );
  await Promise.all(writes);
  const window = { now: Date.now(), windowSeconds: 3_600 };
  for (const { store, said } of stores) {
    expect(JSON.parse(await store.read("summary", window)).requests).toBe(120);
    expect(new Set(idsIn(await store.read("recent", recent))).size).toBe(120);
    expect(JSON.parse(await store.read("routes", window)).routes).toHaveLength(1);
    expect(JSON.parse(await store.read("trace", { requestId: "2-19-b" })).request.request_id).toBe("2-19-b");
    expect(said).toEqual([]);
  }
  await Promise.all(stores.map(({ store }) => store.close()));
});

test("a worker that crashes in the middle of a batch is restarted; that batch is lost, later ones wait", async () => {
  const crashing = meddling(`if (m.batch?.records[0].requestId === "crash") process.exit(3)`);
  const { store, said } = startStore(storePath(), { program: crashing });
  await store.write(batch("before"));
  const [crashed, behind] = await Promise.allSettled([store.write(batch("crash")), store.read("size", {})]);
  expect(crashed).toMatchObject({ status: "rejected", reason: expect.any(StoreUnreachable) });
  expect(crashed).not.toMatchObject({ reason: expect.any(StoreBusy) });
  expect(behind).toMatchObject({ status: "rejected", reason: expect.any(StoreUnreachable) });
  // Not lost: it can be written when the next worker is there.
  await expect(store.write(batch("too early"))).rejects.toBeInstanceOf(StoreBusy);
  await eventually(() => store.write(batch("after")));
  expect(idsIn(await store.read("recent", recent))).toEqual(["after", "before"]);
  expect(said).toHaveLength(1);
  await store.close();
});

test("several that find one damaged file set it aside once, and share the new one", async () => {
  const path = storePath();
  writeFileSync(path, "this is no database");
  const stores = Array.from({ length: 6 }, () => startStore(path));
  await Promise.all(stores.map(({ store }, index) => eventually(() => store.write(batch(`r-${index}`)))));
  const all = stores.map((_, index) => `r-${index}`);
  for (const { store } of stores) expect(idsIn(await store.read("recent", recent)).sort()).toEqual(all);
  const aside = readdirSync(dirname(path)).filter((name) => /broken-\d+$/.test(name));
  expect(aside).toEqual(["metrics.db.broken-1"]);
  for (const { store } of stores) await store.close();
});

test("if the clock is set while a query waits, it fails instead of returning an empty result", async () => {
  const later = meddling("if (m.kind === 'read') Date.now = () => 8e15");
  const { store } = startStore(storePath(), { program: later });
  await store.write(batch("one"));
  await expect(store.read("recent", recent)).rejects.toBeInstanceOf(StoreUnreachable);
  await store.close();
});

test("a worker that cannot start is retried, and the service goes on", async () => {
  // A URL that is not a file cannot be started, and is refused at once.
  const { store, said } = startStore(storePath(), { program: new URL("http://localhost/program.mjs") });
  await eventually(() => expect(said.length).toBeGreaterThanOrEqual(2));
  await expect(store.write(batch("early"))).rejects.toBeInstanceOf(StoreBusy);
  await expect(store.read("size", {})).rejects.toBeInstanceOf(StoreUnreachable);
  await store.close();
});

test("pauses between starts of a worker that cannot run grow, and it is closed at once", async () => {
  const { store, said } = startStore(storePath(), { program: program(`throw new Error("broken");`) });
  await eventually(() => expect(said.length).toBeGreaterThanOrEqual(3));
  expect(said.slice(0, 3).map((line) => /in (\d+) ms: broken/.exec(line)?.[1])).toEqual([
    "100",
    "200",
    "400",
  ]);
  await expect(store.read("size", {})).rejects.toBeInstanceOf(StoreUnreachable);
  await store.close();
});

test("a question that takes too much memory ends the worker, and not the service", async () => {
  const greedy = meddling(
    `if (m.name === "routes") { const all = []; for (;;) all.push(new Array(1e5).fill(all.length + 0.5)); }`,
  );
  const { store, said } = startStore(storePath(), { program: greedy });
  const asked = store.read("routes", { now: 1, windowSeconds: 1 });
  await expect(asked).rejects.toBeInstanceOf(StoreUnreachable);
  await eventually(() => store.read("size", {}));
  expect(said.join()).toContain("memory");
  await store.close();
});

test("a worker that does not answer is not waited for: reads are given up, and closing ends it", async () => {
  const silent = program(`parentPort.on("message", () => {});`);
  const { store } = startStore(storePath(), { program: silent, longestReadMs: 30 });
  await expect(store.read("size", {})).rejects.toBeInstanceOf(StoreUnreachable);
  const write = store.write(batch("never"));
  await Promise.all([expect(write).rejects.toBeInstanceOf(StoreUnreachable), store.close(30)]);
  await expect(store.read("size", {})).rejects.toBeInstanceOf(StoreUnreachable);
});

test("if the folder of the file cannot be created, one line is logged, and reads and writes are refused at once", async () => {
  const { store, said } = startStore("/proc/none/metrics.db");
  await expect(store.read("size", {})).rejects.toBeInstanceOf(StoreUnreachable);
  await expect(store.write(batch("lost"))).rejects.toBeInstanceOf(StoreUnreachable);
  expect(said).toEqual([
    expect.stringMatching(/ \/proc\/none\/metrics\.db cannot be used.*mkdir '\/proc\/none'/),
  ]);
  await store.close();
});

test.skipIf(NodeSqlite.isAvailable())(
  "without SQLite one line says what to do, and nothing else happens",
  async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "no-packages-"));
    const tree = fileURLToPath(new URL("../../../../../lib/", import.meta.url));
    for (const folder of ["runtime/modules/monitoring", "runtime/core/masking", "vocabulary"]) {
      cpSync(join(tree, folder), join(elsewhere, folder), { recursive: true });
    }
    writeFileSync(join(elsewhere, "package.json"), `{"type":"module"}`);
    const program = pathToFileURL(join(elsewhere, "runtime/modules/monitoring/worker/monitoring-worker.js"));
    const { store, said } = startStore(storePath(), { program });
    await expect(store.write(batch("lost"))).rejects.toBeInstanceOf(StoreUnreachable);
    await expect(store.read("size", {})).rejects.toBeInstanceOf(StoreUnreachable);
    expect(said).toEqual([
      expect.stringMatching(
        /SQLite is missing\. Use Node\.js 22\.13 or later, or run npm rebuild better-sqlite3/,
      ),
    ]);
    await store.close();
  },
);

/** Runs a program in a process of its own, with a store in it. */
function processWith(path: string, lines: string): [program: string, text: string] {
  const module = compiled(
    new URL("../../../../../runtime/modules/monitoring/store/worker-store.ts", import.meta.url),
  );
  const log = "{ info: (line) => console.log(line), warn: (line) => console.log(line) }";
  const settings = `{ path: ${JSON.stringify(path)}, retentionDays: 7, maxDatabaseMb: 50, log: ${log} }`;
  const record = JSON.stringify(requestRecord());
  return [
    process.execPath,
    `import { WorkerStore } from ${JSON.stringify(module.href)};
     const store = new WorkerStore(${settings});
     const batch = (first) => ({ records: Array.from({ length: 100 }, (_, i) => ({ ...${record}, at: Date.now(), requestId: "r-" + (first + i) })), logs: [] });
     ${lines}`,
  ];
}

test("it keeps no process alive", async () => {
  const [node, text] = processWith(storePath(), `await store.write(batch(0)); console.log("written");`);
  const { stdout } = await promisify(execFile)(node, [
    "--input-type=module",
    "-e",
    `const held = setTimeout(() => {}, 60_000); ${text} clearTimeout(held);`,
  ]);
  expect(stdout).toBe("written\n");
});

test("written records survive kill -9, and the file is intact", async () => {
  const path = storePath();
  const [node, text] = processWith(
    path,
    `setInterval(() => {}, 1_000); for (let i = 0; ; i += 100) { await store.write(batch(i)); console.log(i + 100); }`,
  );
  const child = spawn(node, ["--input-type=module", "-e", text], { stdio: ["ignore", "pipe", "inherit"] });
  afterFile(async () => void child.kill("SIGKILL"));
  const written = await linesUntil(child, (lines) => lines.length >= 20);
  child.kill("SIGKILL");
  const { file, read, said } = openStore(path);
  const { requests } = read("summary", { now: Date.now(), windowSeconds: 3_600 });
  expect(requests).toBeGreaterThanOrEqual(Number(written.at(-1)));
  expect(requests % 100).toBe(0);
  expect(read("trace", { requestId: `r-${requests - 1}` })).not.toBeNull();
  file.write({ records: records("after"), logs: [] });
  file.close();
  expect(said).toEqual([]);
});

test("a read-only file: one line, no crash, and new records are written once it is writable", async () => {
  const path = storePath();
  const { file } = openStore(path);
  file.write({ records: records("before"), logs: [] });
  file.close();
  chmodSync(path, 0o444);
  chmodSync(dirname(path), 0o555);
  const [node, text] = processWith(
    path,
    `setInterval(() => {}, 1_000);
     for (let i = 0; i < 2; i++) await store.write(batch(i)).catch(() => console.log("lost"));
     process.stdin.once("data", async () => {
       await store.write(batch(100));
       console.log("written");
       process.exit();
     });`,
  );
  // For root no file is read-only.
  const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(node, ["--input-type=module", "-e", text], {
    ...{ stdio: ["pipe", "pipe", "inherit"], cwd: "/" },
    ...unprivileged,
  });
  afterFile(async () => void child.kill("SIGKILL"));
  const [trouble, ...lost] = await linesUntil(child, (lines) => lines.length >= 3);
  expect([trouble, ...lost]).toEqual([expect.stringMatching(/cannot be used/), "lost", "lost"]);
  chmodSync(dirname(path), 0o777);
  chmodSync(path, 0o666);
  child.stdin?.write("go on");
  const lines = await linesUntil(child, (all) => all.includes("written"));
  expect(lines.join()).toMatch(/written again; lost: 200 records/);
});

const prlimit = needs("prlimit");

test.skipIf(prlimit === null)(
  "a full disk logs one line, does not stop reads, and is written again once it has space",
  async () => {
    const path = storePath();
    const [node, text] = processWith(
      path,
      `const held = setInterval(() => {}, 1_000);
     const setLimit = (bytes) => execFileSync(${JSON.stringify(prlimit)}, ["--pid", String(process.pid), "--fsize=" + bytes + ":"]);
     await store.write(batch(0));
     setLimit(1_000_000);
     let lost = 0;
     for (let i = 100; lost < 5; i += 100) await store.write(batch(i)).catch(() => lost++);
     const before = JSON.parse(await store.read("summary", { now: Date.now(), windowSeconds: 60 })).requests;
     setLimit("unlimited");
     await store.write(batch(1e6));
     const after = JSON.parse(await store.read("summary", { now: Date.now(), windowSeconds: 60 })).requests;
     console.log(after - before);
     clearInterval(held);`,
    );
    const program = `import { execFileSync } from "node:child_process"; ${text}`;
    const { stdout } = await promisify(execFile)(node, ["--input-type=module", "-e", program]);
    const lines = stdout.trim().split("\n");
    expect(lines.pop()).toBe("100");
    // A journal that was copied to the file frees space for a while.
    const troubles = lines.filter((_, index) => index % 2 === 0);
    for (const line of troubles)
      expect(line).toMatch(/cannot be used.*: (disk I\/O error|database or disk is full)/);
    const recoveries = lines.filter((_, index) => index % 2 === 1);
    const lost = recoveries.map((line) => Number(/written again; lost: (\d+) records/.exec(line)?.[1]));
    expect(lost.reduce((sum, one) => sum + one, 0)).toBe(500);
    const { file, said } = openStore(path);
    file.close();
    expect(said).toEqual([]);
  },
);

/** The lines that a process has written, when there are enough of them. */
async function linesUntil(
  child: ChildProcess,
  enough: (lines: readonly string[]) => boolean,
): Promise<string[]> {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return eventually(() => {
    const lines = text.split("\n").slice(0, -1);
    expect(enough(lines)).toBe(true);
    return lines;
  });
}

test("a worker that never starts is logged while the pauses grow, then once per cause, and again after it has worked", async () => {
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
    expect.stringMatching(/restarts in 100 ms: broken/),
    expect.stringMatching(/restarts every 200 ms from now on: broken/),
  ]);
  writeFileSync(mood, "otherwise");
  await eventually(() => expect(said).toHaveLength(3));
  expect(said[2]).toMatch(/restarts every 200 ms from now on: otherwise/);
  writeFileSync(mood, "works");
  await eventually(() => expect(replies).toBe(1));
  await eventually(() => expect(said).toHaveLength(4));
  expect(said[3]).toMatch(/restarts in 100 ms: works/);
  await thread.close(1_000);
});

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
