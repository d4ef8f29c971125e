import { type Course, compare, type Measured, print } from "../compare.ts";
import { type RunningServer, type Start, stopServer } from "../measure.ts";
import { startRedis } from "../redis.ts";
import { rows, type Scenario } from "../scenarios.ts";

/** Nobody exceeds it: a refusal costs less than an answer. */
const limited = { BENCHMARK_MAX_REQUESTS: "1000000000" };

/** Callers of the second kind of traffic. */
const callers = 10_000;

/** 1, 2, … in an order that no cache of the database likes. */
const shuffled = (n: number, count: number): number => (n * 7919) % count;

const oneRow = { method: "GET", path: (n: number) => `/authors/fetch?id=${1 + shuffled(n, rows)}` } as const;

const traffic: readonly Scenario[] = [
  { ...oneRow, name: "all from one address" },
  {
    ...oneRow,
    name: "from 10,000 addresses",
    headers: (n) => {
      const caller = shuffled(n, callers);
      return { "x-forwarded-for": `10.0.${caller >> 8}.${caller & 255}` };
    },
  },
];

/**
 * Compares the generated service without limits, with them, and without them behind rate-limiter-flexible: with counters
 * in PostgreSQL, then with a Redis that all three have.
 */
export async function benchmarkLimits(start: Start, course: Course): Promise<void> {
  await compareLimiters("PostgreSQL", start, course, {});
  const redis = await startRedis().catch((error: Error) => error);
  if (redis instanceof Error) {
    console.log(`\nrate limits without Redis, which could not be started: ${redis.message}`);
    return;
  }
  try {
    await compareLimiters("Redis", start, course, { BENCHMARK_REDIS_URL: redis.url });
  } finally {
    await redis.stop();
  }
}

async function compareLimiters(
  store: string,
  start: Start,
  course: Course,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const servers: readonly RunningServer[] = [
    await start("unlimited", "kirak", environment),
    await start("kirak", "kirak", { ...environment, ...limited }),
    await start("flexible", "flexible", { ...environment, ...limited }),
  ];
  for (const scenario of traffic) {
    const contestants = servers.map((server) => ({ name: server.name, server, scenario }));
    const measured = await compare(contestants, course);
    print(`rate limits in ${store}, ${scenario.name}`, measured);
    const [ours, theirs] = [costOf(measured, "kirak"), costOf(measured, "flexible")];
    console.log(
      `  a limit costs ${ours.toFixed(1)} µs CPU, with rate-limiter-flexible ${theirs.toFixed(1)} µs: ${(ours / theirs).toFixed(2)} of it (at most 1)`,
    );
  }
  await Promise.all(servers.map(stopServer));
}

/** Microseconds of CPU time that a request takes beyond one without a limit. */
function costOf(measured: Measured, name: string): number {
  return (measured.get(name)?.cpu ?? Number.NaN) - (measured.get("unlimited")?.cpu ?? Number.NaN);
}
