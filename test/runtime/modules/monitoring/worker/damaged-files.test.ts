import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#runtime/modules/monitoring/worker/database/open-database";
import { setAside } from "#runtime/modules/monitoring/worker/database/set-aside";
import { loadSqlite } from "#runtime/modules/monitoring/worker/database/sqlite";
import { schemaSteps } from "#runtime/modules/monitoring/worker/database/store-schema";
import { afterFile } from "../../../../support/after-file.ts";
import { openStore, requestRecord, storePath } from "../../../../support/monitoring-store.ts";
import { seeded } from "../../../../support/seeded.ts";

const Sqlite = loadSqlite();

/** A file that was closed, with some pages of requests in it. */
function filledFile(requests = 2_000): string {
  const path = storePath();
  const { file } = openStore(path);
  const records = Array.from({ length: requests }, (_, index) => requestRecord({ requestId: `r-${index}` }));
  file.write({ records, logs: [] });
  file.close();
  return path;
}

function open(path: string) {
  const opened = openStore(path);
  afterFile(() => opened.file.close());
  return opened;
}

const broken = (path: string) =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.broken-`) && /\d$/.test(name))
    .sort();
const one = (requestId = "after") => ({ records: [requestRecord({ requestId })], logs: [] });
const allIds = { limit: 200, status: null };

/** Writes and reads, and expects the file to work. */
function works(opened: ReturnType<typeof open>): void {
  opened.file.write(one());
  expect(opened.read("trace", { requestId: "after" })?.request.request_id).toBe("after");
}

test("a new file and its journal are readable only by their owner; an existing file keeps its permissions", () => {
  const path = storePath();
  const { file } = open(path);
  file.write(one());
  const modes = () => ["", "-wal", "-shm"].map((part) => (statSync(path + part).mode & 0o777).toString(8));
  expect(modes()).toEqual(["600", "600", "600"]);
  file.close();
  chmodSync(path, 0o640);
  open(path).file.write(one());
  expect(modes()).toEqual(["640", "640", "640"]);
});

describe("an invalid file is set aside unchanged, with one line in the log, and a new store is created", () => {
  const contents: Record<string, Buffer> = {
    "a text": Buffer.from("this is no database"),
    "random bytes": Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 251)),
    zeros: Buffer.alloc(8_192),
    "the first bytes of a database": Buffer.from("SQLite format 3\0"),
  };
  test.each(Object.entries(contents))("%s", (_, content) => {
    const path = storePath();
    writeFileSync(path, content);
    const opened = open(path);
    works(opened);
    expect(broken(path)).toEqual(["metrics.db.broken-1"]);
    expect(readFileSync(`${path}.broken-1`)).toEqual(content);
    expect(opened.said).toHaveLength(1);
    expect(opened.said[0]).toMatch(/is damaged, or is not a store.*metrics\.db\.broken-1/s);
  });

  test("a database of another application, with its journal", () => {
    const path = storePath();
    const theirs = new Sqlite(path);
    theirs.pragma("journal_mode = wal");
    theirs.exec("create table accounts (id integer); insert into accounts values (1)");
    copyFileSync(path, `${path}.copy`);
    copyFileSync(`${path}-wal`, `${path}.copy-wal`);
    theirs.close();
    for (const part of ["", "-wal"]) renameSync(`${path}.copy${part}`, path + part);
    const before = ["", "-wal"].map((part) => readFileSync(path + part));
    const opened = open(path);
    works(opened);
    expect(["", "-wal"].map((part) => readFileSync(`${path}.broken-1${part}`))).toEqual(before);
    const aside = new Sqlite(`${path}.broken-1`);
    expect(aside.prepare("select * from accounts").all()).toEqual([{ id: 1 }]);
    aside.close();
  });

  test("an empty file belongs to no application, and is used", () => {
    const path = storePath();
    writeFileSync(path, "");
    const opened = open(path);
    works(opened);
    expect([broken(path), opened.said]).toEqual([[], []]);
  });

  test("a new one that another process has begun meanwhile stays where it is", () => {
    const path = storePath();
    writeFileSync(path, "this is no database");
    const { ino } = statSync(path);
    expect(setAside(path, ino)).toBe(`${path}.broken-1`);
    expect(setAside(path, ino)).toBeNull();
    const { file } = open(path);
    file.write(one());
    expect(setAside(path, ino)).toBeNull();
    expect([broken(path), existsSync(path)]).toEqual([["metrics.db.broken-1"], true]);
  });

  test("the journal is moved first, so a crash half way leaves no journal that a new file would read", () => {
    const path = storePath();
    for (const part of ["", "-wal", "-shm"]) writeFileSync(path + part, `this is no database${part}`);
    const { ino } = statSync(path);
    mkdirSync(`${path}.broken-1`);
    expect(() => setAside(path, ino)).toThrow();
    expect(["", "-wal", "-shm"].map((part) => existsSync(path + part))).toEqual([true, false, false]);
    rmdirSync(`${path}.broken-1`);
    expect(setAside(path, ino)).toBe(`${path}.broken-1`);
    const texts = ["", "-wal", "-shm"].map((part) => readFileSync(`${path}.broken-1${part}`, "utf8"));
    expect(texts).toEqual(["", "-wal", "-shm"].map((part) => `this is no database${part}`));
  });

  test("the three latest are kept, whichever other files have similar names", () => {
    const path = storePath();
    writeFileSync(`${path}.broken-note`, "mine");
    for (let round = 1; round <= 5; round++) {
      writeFileSync(path, `no database ${round}`);
      const { file } = openStore(path);
      file.close();
      for (const part of ["", "-wal", "-shm"]) rmSync(path + part, { force: true });
    }
    expect(broken(path)).toEqual(["metrics.db.broken-3", "metrics.db.broken-4", "metrics.db.broken-5"]);
    expect(readFileSync(`${path}.broken-5`, "utf8")).toBe("no database 5");
    expect(existsSync(`${path}.broken-note`)).toBe(true);
  });
});

describe("a store that was damaged while it was not open", () => {
  test("its end is missing", () => {
    for (const share of [0.9, 0.5, 0.1]) {
      const path = filledFile();
      truncateSync(path, Math.floor((statSync(path).size * share) / 4096) * 4096);
      const opened = open(path);
      works(opened);
      opened.read("routes", { now: Date.now(), windowSeconds: 3_600 });
      opened.read("recent", allIds);
      works(opened);
    }
  });

  test("random bytes change at any position", () => {
    const random = seeded(5);
    const pristine = filledFile();
    for (let round = 0; round < 60; round++) {
      const path = storePath();
      const bytes = readFileSync(pristine);
      const from = round < 10 ? 100 : Math.floor(random() * bytes.length);
      for (let index = from; index < Math.min(bytes.length, from + 6_000); index++)
        bytes[index] = random() * 256;
      writeFileSync(path, bytes);
      const { file, read, said } = openStore(path);
      const now = Date.now();
      // Damage may be found by any of these, and is behind them then.
      for (let turn = 0; turn < 3; turn++) {
        attempt(() => file.write(one(`after-${turn}`)));
        attempt(() => read("summary", { now, windowSeconds: 3_600 }));
        attempt(() => read("routes", { now, windowSeconds: 3_600 }));
        attempt(() => read("recent", allIds));
      }
      expect(said.length).toBeLessThanOrEqual(3);
      file.close();
    }
  });

  test("a table of it is missing", () => {
    const path = filledFile();
    const theirs = new Sqlite(path);
    theirs.exec("drop table logs");
    theirs.close();
    works(open(path));
    expect(broken(path)).toHaveLength(1);
  });
});

/** What is damaged may fail, though only once, and never in another way than by a failure of the store. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(String(error)).toMatch(/MonitoringFailure/);
  }
}

describe("while it is in use", () => {
  test("after its deletion the store is created again, and concurrent writes are not lost", () => {
    const path = filledFile();
    const opened = open(path);
    opened.file.write(one("before"));
    for (const part of ["", "-wal", "-shm"]) rmSync(path + part);
    works(opened);
    expect(opened.read("recent", allIds).requests.map(({ request_id }) => request_id)).toEqual(["after"]);
    expect(existsSync(path)).toBe(true);
    expect([broken(path), opened.said.length]).toEqual([[], 1]);
  });

  test("deleted with its folder", () => {
    const path = join(dirname(storePath()), "own", "metrics.db");
    const opened = open(path);
    opened.file.write(one("before"));
    rmSync(dirname(path), { recursive: true });
    works(opened);
  });

  test("replaced by another store, that one is used", () => {
    const path = filledFile();
    const opened = open(path);
    const other = filledFile(3);
    for (const part of ["-wal", "-shm"]) rmSync(path + part);
    renameSync(other, path);
    works(opened);
    expect(opened.read("recent", allIds).requests).toHaveLength(4);
  });

  test("overwritten and cut off, it is set aside", () => {
    for (const damage of [
      (path: string) => truncateSync(path, 0),
      (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size, 7)),
      (path: string) => writeFileSync(path, "short"),
    ]) {
      const path = filledFile();
      const opened = open(path);
      damage(path);
      // What SQLite remembers of the file it may still read.
      for (let index = 0; index < 30 && broken(path).length === 0; index++) {
        attempt(() =>
          opened.file.write({ records: Array.from({ length: 300 }, () => requestRecord()), logs: [] }),
        );
        attempt(() => opened.read("routes", { now: Date.now(), windowSeconds: 3_600 }));
      }
      works(opened);
      expect(broken(path)).toEqual(["metrics.db.broken-1"]);
    }
  });

  test("a reader finds the damage as well, and answers from the fresh one", () => {
    const path = filledFile();
    const opened = open(path);
    truncateSync(path, 0);
    expect(opened.read("recent", allIds)).toEqual({ requests: [] });
    expect(broken(path)).toHaveLength(1);
  });
});

describe("a place where nothing can be written", () => {
  test("a folder at the path is not touched: once it is gone, the store is created", () => {
    const path = storePath();
    mkdirSync(join(path, "inside"), { recursive: true });
    const opened = open(path);
    expect(() => opened.file.write(one())).toThrow();
    expect(() => opened.read("size", {})).toThrow();
    expect(() => opened.file.write(one())).toThrow();
    expect(opened.said).toHaveLength(1);
    rmSync(path, { recursive: true });
    works(opened);
    expect(opened.said).toHaveLength(2);
    expect(opened.said[1]).toContain("lost: 2 records");
    works(opened);
    expect(opened.said).toHaveLength(2);
  });

  test("a file where its folder should be", () => {
    const folder = storePath();
    writeFileSync(folder, "in the way");
    const opened = open(join(folder, "metrics.db"));
    expect(() => opened.file.write(one())).toThrow(expect.objectContaining({ reason: "unusable" }));
    rmSync(folder);
    works(opened);
  });
});

describe("the version of the schema", () => {
  const options = { maxPages: 1_000, journalPages: 100 };

  test("an older one is brought to that of today, and keeps its rows", () => {
    const path = filledFile(5);
    const steps = [
      ...schemaSteps,
      "alter table http_requests add column region text not null default 'here'",
    ];
    const database = openDatabase(path, { ...options, steps });
    expect(database.prepare("select region, count(*) as count from http_requests").get()).toEqual({
      region: "here",
      count: 5,
    });
    expect(database.pragma("user_version", { simple: true })).toBe(steps.length);
    database.close();
    // Not a second time.
    openDatabase(path, { ...options, steps }).close();
  });

  test("a file of the first version keeps its requests, and their traces", () => {
    const path = storePath();
    const first = openDatabase(path, { ...options, steps: schemaSteps.slice(0, 1) });
    const uuid = "0d9f1f3c-36a5-4c55-9b90-58a1ad7d1c11";
    first.exec(`
      insert into request_series (id, method, route) values (1, 'GET', '/books/fetch');
      insert into http_requests (at, series_id, status, duration_us, bytes, request_id, user_id)
        values (${Date.now()}, 1, 200, 1500, 7, x'${uuid.replaceAll("-", "")}', 'ann'),
               (${Date.now()}, 1, 404, 1500, 7, '007', x'${uuid.replaceAll("-", "")}');
      insert into request_keys (first_id, last_id, hashes) values (1, 2, x'0102030405060708');
      insert into logs (at, level, message, request_id, fields) values (${Date.now() + 9}, 'warn', 'slow', '007', '{}');
    `);
    first.close();
    const { read, file } = open(path);
    file.write(one());
    expect(read("trace", { requestId: uuid })?.request).toMatchObject({ request_id: uuid, user_id: "ann" });
    expect(read("trace", { requestId: "007" })).toMatchObject({
      request: { status: 404, user_id: uuid },
      logs: [{ message: "slow" }],
    });
    expect(read("recent", allIds).requests).toHaveLength(3);
    expect(broken(path)).toEqual([]);
  });

  test("a step that fails leaves the file as it was", () => {
    const path = filledFile(5);
    const steps = [...schemaSteps, "create table half (id integer); create table half (id integer)"];
    expect(() => openDatabase(path, { ...options, steps })).toThrow("already exists");
    works(open(path));
    expect(broken(path)).toEqual([]);
  });

  test("a newer one is set aside, unless a newer process is at work on it", () => {
    const path = filledFile(5);
    const newer = openDatabase(path, {
      ...options,
      steps: [...schemaSteps, "create table more (id integer)"],
    });
    const opened = open(path);
    expect(() => opened.file.write(one())).toThrow("newer version");
    expect([broken(path), opened.said.length]).toEqual([[], 1]);
    newer.close();
    works(opened);
    expect(broken(path)).toHaveLength(1);
  });

  test("a process that is at work sees that a newer one has taken over", () => {
    const path = filledFile(5);
    const opened = open(path);
    const newer = openDatabase(path, {
      ...options,
      steps: [...schemaSteps, "create table more (id integer)"],
    });
    expect(() => opened.file.write(one())).toThrow("newer version");
    expect(newer.prepare("select count(*) as count from http_requests").get()).toEqual({ count: 5 });
    newer.close();
  });
});

test("a file that another process holds is not damaged: the batch can be written later", () => {
  const path = filledFile(1);
  const other = new Sqlite(path);
  const opened = open(path);
  other.exec("begin immediate");
  expect(() => opened.file.write(one())).toThrow(expect.objectContaining({ reason: "busy" }));
  expect(opened.read("recent", allIds).requests).toHaveLength(1);
  other.exec("rollback");
  other.close();
  works(opened);
  expect([broken(path), opened.said.length]).toEqual([[], 2]);
});
