/** `npm run benchmark`: what a request costs, beside hand-written servers in the same run. See docs/contributing.md. */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import jsonwebtoken from "jsonwebtoken";
import yargs from "yargs";
import { hideBin } from "yargs/helpers";
import { builtServers } from "./build.ts";
import { clientFigures } from "./client-calls.ts";
import { type Course, compare, print, ratio } from "./compare.ts";
import { startDatabase } from "./database.ts";
import { documentFigures } from "./document-budget.ts";
import { generatorTimes, watchTime } from "./generator-times.ts";
import { benchmarkGraphql } from "./graphql/run.ts";
import { fillShop } from "./graphql/shop-rows.ts";
import { benchmarkLimits } from "./limits/run.ts";
import { loginTimes } from "./logins.ts";
import { benchmarkMcp } from "./mcp.ts";
import { type RunningServer, type Start, startServer, stopServer } from "./measure.ts";
import { heldMemory } from "./memory.ts";
import { migrationPauses, type Pauses } from "./migrations.ts";
import { benchmarkMonitoring } from "./monitoring/run.ts";
import { benchmarkPressure } from "./pressure/run.ts";
import { startBuiltService } from "./requests/built-service.ts";
import { benchmarkLogLines } from "./requests/log-lines.ts";
import { profiledSettings } from "./requests/profile.ts";
import { benchmarkRequests } from "./requests/run.ts";
import { benchmarkRules } from "./rules/run.ts";
import { scenarios } from "./scenarios.ts";
import { startTimes } from "./start-times.ts";
import { benchmarkStorage } from "./storage/run.ts";

const options = await yargs(hideBin(process.argv))
  .scriptName("npm run benchmark --")
  .usage(
    "$0 [options]\n\nMeasures raw node:http, hand-written Fastify 5 and Express 5, and the generated service on one PostgreSQL.",
  )
  .option("seconds", { type: "number", default: 3, describe: "length of one measurement" })
  .option("rounds", {
    type: "number",
    default: 3,
    describe: "measurements of each pair, and of the generator; their median is printed",
  })
  .option("only", { type: "string", describe: "a part of the names of the scenarios to run" })
  .option("logs", {
    type: "boolean",
    default: false,
    describe: "with a log line a request, which the hand-written servers do not write",
  })
  .option("built", {
    type: "boolean",
    default: false,
    describe: "measure requests of the book shop as it is deployed: built, and started by kirak start",
  })
  .option("profile", {
    type: "boolean",
    default: false,
    describe: "print where requests spend their time, in place of comparing them",
  })
  .option("requests", { type: "boolean", default: true, describe: "measure requests" })
  .option("graphql", {
    type: "boolean",
    default: true,
    describe: "measure GraphQL too, beside PostGraphile, which is installed into var/benchmark",
  })
  .option("mcp", {
    type: "boolean",
    default: true,
    describe: "measure what a call of a tool costs next to REST",
  })
  .option("limits", {
    type: "boolean",
    default: true,
    describe: "measure what rate limits cost, beside rate-limiter-flexible",
  })
  .option("storage", {
    type: "boolean",
    default: true,
    describe: "measure downloads and uploads of files, beside express.static and multer",
  })
  .option("monitoring", {
    type: "boolean",
    default: true,
    describe: "measure what monitoring costs a request, and what its worker does to the event loop",
  })
  .option("pressure", {
    type: "boolean",
    default: true,
    describe: "send twice as much as the service can serve; fails where an answer is wrong",
  })
  .option("rules", {
    type: "boolean",
    default: true,
    describe:
      "measure rules over relations on 1,000,000 rows, beside SQL by hand; fails where all rows are read",
  })
  .option("generator", {
    type: "boolean",
    default: true,
    describe:
      "time the generator for 10, 100 and 1,000 models, and --watch for 10; measure the OpenAPI document",
  })
  .option("start", {
    type: "boolean",
    default: true,
    describe: "how long the built service takes to start, and what it holds when idle",
  })
  .option("starts", { type: "number", default: 7, describe: "starts of each; their median is printed" })
  .option("idle", { type: "number", default: 2, describe: "seconds until memory is read" })
  .option("memory", {
    type: "boolean",
    default: true,
    describe: "what built apps hold, by the modules that they have; needs redis-server",
  })
  .option("client", {
    type: "boolean",
    default: true,
    describe: "measure the size of the generated client, and what a call costs",
  })
  .option("logins", {
    type: "boolean",
    default: true,
    describe: "whether a refused login takes as long for an address without an account",
  })
  .option("migrations", {
    type: "boolean",
    default: true,
    describe: "how long a writer waits while a table with 1,000,000 rows is migrated",
  })
  .check(({ built, profile }) => {
    // What a deployment runs answers no questions about its functions.
    if (built && profile) throw new Error("--built and --profile exclude each other");
    return true;
  })
  .strict()
  .help()
  .version(false)
  .parseAsync();

const root = process.cwd();
const secret = randomUUID() + randomUUID();
const token = jsonwebtoken.sign({ role: "staff", email: "staff@example.org", type: "access" }, secret, {
  subject: "1",
  jwtid: randomUUID(),
  expiresIn: "1d",
});

const store = join(root, "var", "benchmark", "requests.db");

/** Requests are recorded as in production: each of them, and the steps of some. */
const recorded = {
  BENCHMARK_MODELS: "10",
  BENCHMARK_METRICS: store,
  BENCHMARK_SAMPLE_RATE: "0.05",
};

const course: Course = { rounds: options.rounds, seconds: options.seconds, warmUp: 1, token };

/** Measures what is asked for on one database: REST beside hand-written servers, GraphQL beside PostGraphile, limits. */
async function benchmarkServers(): Promise<void> {
  // One that is full, of earlier runs, has to remove a record for each that it writes.
  for (const end of ["", "-wal", "-shm"]) rmSync(store + end, { force: true });
  const folder = builtServers(root);
  const database = await startDatabase(root, options.profile ? profiledSettings : {});
  const environment = {
    BENCHMARK_DATABASE_URL: database.url,
    BENCHMARK_SECRET: secret,
    BENCHMARK_LOG_LEVEL: options.logs ? "info" : "warn",
  };
  const started: RunningServer[] = [];
  const start: Start = async (name, file, more) => {
    const server = await startServer(name, join(folder, `${file}.js`), { ...environment, ...more });
    started.push(server);
    return server;
  };
  const startKirak = async () => {
    if (!options.built) return start("kirak", "kirak", recorded);
    const server = await startBuiltService({ root, url: database.url, secret, logs: options.logs });
    started.push(server);
    return server;
  };
  try {
    if (options.requests || options.graphql || options.mcp) await fillShop(database.url);
    if (options.requests) {
      const ground = { url: database.url, start, startKirak, profiles: options.profile };
      await benchmarkRequests(ground, options.only ?? "", { ...course, warmUp: 3 });
    }
    if (options.requests && options.only === undefined && !options.profile) {
      await benchmarkLogLines(start, { ...course, warmUp: 3 });
      await benchmarkModels(start);
    }
    if (options.graphql)
      await benchmarkGraphql({ root, url: database.url, start }, options.only ?? "", {
        ...course,
        warmUp: 3,
      });
    if (options.mcp && options.only === undefined)
      await benchmarkMcp({ url: database.url, start, profiles: options.profile }, { ...course, warmUp: 3 });
    if (options.limits && options.only === undefined) await benchmarkLimits(start, course);
    if (options.storage && options.only === undefined) await benchmarkStorage(start, course);
    if (options.monitoring && options.only === undefined) await benchmarkMonitoring(start, course);
    if (options.pressure && options.only === undefined)
      await benchmarkPressure({ url: database.url, startKirak }, course);
    if (options.rules && options.only === undefined)
      await benchmarkRules({ url: database.url, start, secret }, course);
  } finally {
    await Promise.all(started.map(stopServer));
    await database.stop();
  }
}

async function benchmarkModels(start: Start): Promise<void> {
  const [scenario] = scenarios;
  if (scenario === undefined || options.only !== undefined) return;
  const servers = [
    await start("10 models", "kirak", { BENCHMARK_MODELS: "10" }),
    await start("1,000 models", "kirak", { BENCHMARK_MODELS: "1000" }),
  ];
  const measured = await compare(
    servers.map((server) => ({ name: server.name, server, scenario })),
    course,
  );
  print(`${scenario.name}, by number of models`, measured);
  console.log(
    `  requests per second: ${ratio(measured, "1,000 models", "10 models", "perSecond")} (at least 0.95)`,
  );
  await Promise.all(servers.map(stopServer));
}

const needServers = options.requests || options.graphql || options.limits || options.storage;
if (needServers || options.mcp || options.monitoring || options.pressure || options.rules)
  await benchmarkServers();
if (options.generator) {
  console.log("\ngenerator");
  for (const count of [10, 100, 1_000]) {
    const { first, field, unchanged } = await generatorTimes(root, count, options.rounds);
    const [all, more, none] = [first, field, unchanged].map((seconds) => `${seconds.toFixed(2)} s`);
    console.log(
      `  ${String(count).padStart(5)} models: ${all}, with a field more ${more}, without changes ${none}`,
    );
  }
  console.log(`  --watch, 10 models: a field more after ${(await watchTime(root, 10, 7)).toFixed(2)} s`);
  for (const count of [100, 1_000]) {
    const { size, zipped, seconds } = await documentFigures(root, count, options.rounds);
    const [all, small] = [size, zipped].map((bytes) => `${(bytes / 1000).toFixed(0)} kB`);
    console.log(
      `  OpenAPI document of ${count} models: ${all}, ${small} with gzip, in ${seconds.toFixed(2)} s`,
    );
  }
  console.log("  (at most 2,500 kB and 200 kB for 100 models, and 1.5 s for 1,000)");
}
if (options.start) {
  console.log("\nstart, on a migrated database, and memory when idle");
  const all = await startTimes(root, options.starts, options.idle);
  if (all === null) console.log("  left out: there is no /proc");
  for (const { name, seconds, cpu, resident, own } of all ?? []) {
    const times = `${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of the processor`;
    console.log(
      `  ${name.padEnd(13)}  ${times}, ${resident.toFixed(0)} MB resident, ${own.toFixed(0)} MB its own`,
    );
  }
}
if (options.memory) {
  console.log("\nmemory of built apps in MB: idle after the start, and idle after requests");
  const all = await heldMemory(root, options.starts, options.idle);
  if (all === null) console.log("  left out: there is no /proc");
  for (const { name, idle, afterRequests } of all ?? [])
    console.log(`  ${name.padEnd(23)}  ${idle.toFixed(0)}, ${afterRequests.toFixed(0)}`);
}
if (options.client) {
  const { zipped, call } = await clientFigures(root, options.rounds);
  console.log("\nthe generated client of the book shop");
  console.log(`  ${zipped} bytes, minified and with gzip`);
  console.log(`  books.fetch: ${call.toFixed(1)} µs of the processor more than fetch`);
}

if (options.logins) {
  const { known, unknown } = await loginTimes(root);
  console.log("\nrefused logins, median");
  console.log(`  known address ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`);
  console.log(`  ratio ${(known / unknown).toFixed(3)} (1: nobody learns who has an account)`);
}
if (options.migrations) {
  console.log("\nwrites while a table with 1,000,000 rows gets");
  for await (const { name, kirak, plain } of migrationPauses(root)) {
    console.log(`  ${name}`);
    printPauses("kirak", kirak);
    printPauses("plain", plain);
  }
}

function printPauses(name: string, { longest, median, writes, took }: Pauses): void {
  const cells = [`longest ${longest.toFixed(1)} ms`, `median ${median.toFixed(2)} ms`, `${writes} writes`];
  console.log(
    `    ${name}  ${cells.map((cell) => cell.padStart(17)).join("  ")}  in ${(took / 1000).toFixed(1)} s`,
  );
}
