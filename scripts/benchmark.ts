/** `npm run benchmark`: what a request costs, beside hand-written servers in the same run. See docs/contributing.md. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import jsonwebtoken from "jsonwebtoken";
import yargs from "yargs";
import { hideBin } from "yargs/helpers";
import { buildServers } from "./benchmark/build.ts";
import { startDatabase } from "./benchmark/database.ts";
import { generatorTimes } from "./benchmark/generator-times.ts";
import { loginTimes } from "./benchmark/logins.ts";
import {
  type Figures,
  measure,
  median,
  type RunningServer,
  startServer,
  stopServer,
} from "./benchmark/measure.ts";
import { migrationPauses, type Pauses } from "./benchmark/migrations.ts";
import { type Scenario, scenarios } from "./benchmark/scenarios.ts";

const options = await yargs(hideBin(process.argv))
  .scriptName("npm run benchmark --")
  .usage(
    "$0 [options]\n\nMeasures raw node:http, hand-written Express 5 and the generated service on one PostgreSQL.",
  )
  .option("seconds", { type: "number", default: 3, describe: "length of one measurement" })
  .option("rounds", {
    type: "number",
    default: 3,
    describe: "measurements of each pair; their median is printed",
  })
  .option("only", { type: "string", describe: "a part of the names of the scenarios to run" })
  .option("logs", {
    type: "boolean",
    default: false,
    describe: "with a log line a request, which the hand-written servers do not write",
  })
  .option("requests", { type: "boolean", default: true, describe: "measure requests" })
  .option("generator", {
    type: "boolean",
    default: true,
    describe: "time the generator for 10, 100 and 1,000 models",
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
  .strict()
  .help()
  .version(false)
  .parseAsync();

const root = join(import.meta.dirname, "..");
const secret = randomUUID() + randomUUID();
const token = jsonwebtoken.sign({ role: "staff", email: "staff@example.org", type: "access" }, secret, {
  subject: "1",
  jwtid: randomUUID(),
  expiresIn: "1d",
});

type Measured = ReadonlyMap<string, Figures>;

/** Measures a scenario on all servers by turns, so that a slow moment of the machine hits each of them. */
async function compare(servers: readonly RunningServer[], scenario: Scenario): Promise<Measured> {
  const runs = new Map(servers.map((server) => [server.name, [] as Figures[]]));
  for (const server of servers) await measure(server, scenario, 1, token);
  for (let round = 0; round < options.rounds; round++) {
    for (const server of servers)
      runs.get(server.name)?.push(await measure(server, scenario, options.seconds, token));
  }
  const middle = (figures: readonly Figures[]): Figures => ({
    perSecond: median(figures.map((f) => f.perSecond)),
    p99Ms: median(figures.map((f) => f.p99Ms)),
    cpu: median(figures.map((f) => f.cpu)),
  });
  return new Map([...runs].map(([name, figures]) => [name, middle(figures)]));
}

function print(scenario: string, measured: Measured): void {
  console.log(`\n${scenario}`);
  for (const [name, { perSecond, p99Ms, cpu }] of measured) {
    const cells = [`${Math.round(perSecond)} req/s`, `p99 ${p99Ms} ms`, `${cpu.toFixed(1)} µs CPU`];
    console.log(`  ${name.padEnd(16)} ${cells.map((cell) => cell.padStart(14)).join("  ")}`);
  }
}

function ratio(measured: Measured, a: string, b: string, figure: keyof Figures): string {
  return ((measured.get(a)?.[figure] ?? Number.NaN) / (measured.get(b)?.[figure] ?? Number.NaN)).toFixed(2);
}

async function benchmarkRequests(): Promise<void> {
  const folder = await buildServers(root);
  const database = await startDatabase(root);
  const environment = {
    BENCHMARK_DATABASE_URL: database.url,
    BENCHMARK_SECRET: secret,
    BENCHMARK_LOG_LEVEL: options.logs ? "info" : "warn",
  };
  const kirak = (name: string, models: number) =>
    startServer(name, join(folder, "kirak.js"), { ...environment, BENCHMARK_MODELS: String(models) });
  const servers = [
    await startServer("raw", join(folder, "raw.js"), environment),
    await startServer("express", join(folder, "express.js"), environment),
    await kirak("kirak", 10),
  ];
  try {
    for (const scenario of scenarios.filter(({ name }) => name.includes(options.only ?? ""))) {
      const measured = await compare(servers, scenario);
      print(scenario.name, measured);
      console.log(
        `  CPU of kirak: ${ratio(measured, "kirak", "express", "cpu")} of express (at most 0.6), ${ratio(measured, "kirak", "raw", "cpu")} of raw (aim: at most 1.5)`,
      );
    }
    await benchmarkModels(kirak);
  } finally {
    await Promise.all(servers.map(stopServer));
    await database.stop();
  }
}

async function benchmarkModels(
  kirak: (name: string, models: number) => Promise<RunningServer>,
): Promise<void> {
  const [byId] = scenarios;
  if (byId === undefined || options.only !== undefined) return;
  const servers = [await kirak("10 models", 10), await kirak("1,000 models", 1_000)];
  const measured = await compare(servers, byId);
  print(`${byId.name}, by number of models`, measured);
  console.log(
    `  requests per second: ${ratio(measured, "1,000 models", "10 models", "perSecond")} (at least 0.95)`,
  );
  await Promise.all(servers.map(stopServer));
}

if (options.requests) await benchmarkRequests();
if (options.generator) {
  console.log("\ngenerator");
  for (const count of [10, 100, 1_000]) {
    const { first, second } = await generatorTimes(root, count);
    console.log(
      `  ${String(count).padStart(5)} models: ${first.toFixed(1)} s, again without changes ${second.toFixed(1)} s`,
    );
  }
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
