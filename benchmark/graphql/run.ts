import { type Contestant, type Course, compare, print, ratio } from "../compare.ts";
import { type RunningServer, type Start, stopServer } from "../measure.ts";
import { installPostgraphile } from "./postgraphile.ts";
import { checkSameRows } from "./same-rows.ts";
import { type GraphqlScenario, graphqlRequest, graphqlScenarios } from "./scenarios.ts";

export interface Ground {
  readonly root: string;
  /** Of the database. */
  readonly url: string;
  readonly start: Start;
}

/** Compares our GraphQL endpoint with PostGraphile, and with REST where it can ask the same. `only`: part of a name. */
export async function benchmarkGraphql(ground: Ground, only: string, course: Course): Promise<void> {
  const chosen = graphqlScenarios.filter(({ name }) => name.includes(only));
  if (chosen.length === 0) return;
  const kirak = await ground.start("kirak", "kirak", { BENCHMARK_MODELS: "10" });
  const postgraphile = await startPostgraphile(ground);
  for (const scenario of chosen) {
    if (postgraphile !== null) await checkSameRows(scenario, kirak, postgraphile, course.token);
    const measured = await compare(contestants(scenario, kirak, postgraphile), course);
    print(scenario.name, measured);
    const ratios = [
      postgraphile && `${ratio(measured, "kirak", "postgraphile", "cpu")} of postgraphile (at most 0.5)`,
      scenario.rest && `${ratio(measured, "kirak", "REST", "cpu")} of REST (at most 1.3)`,
    ].filter(Boolean);
    if (ratios.length > 0) console.log(`  CPU of kirak: ${ratios.join(", ")}`);
  }
  await Promise.all([kirak, postgraphile].map((server) => server && stopServer(server)));
}

/** Null where it cannot be had: the rest is measured all the same. */
async function startPostgraphile({ root, start }: Ground): Promise<RunningServer | null> {
  try {
    const { home, version } = await installPostgraphile(root);
    console.log(`\npostgraphile is ${version}, on Node.js ${process.versions.node}; it checks no token`);
    return await start("postgraphile", "postgraphile", {
      BENCHMARK_POSTGRAPHILE: home,
      NODE_ENV: "production",
      GRAPHILE_ENV: "production",
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`\nwithout postgraphile, which could not be installed or started: ${reason}`);
    return null;
  }
}

function contestants(
  { name, kirak, postgraphile, rest }: GraphqlScenario,
  ours: RunningServer,
  theirs: RunningServer | null,
): Contestant[] {
  return [
    { name: "kirak", server: ours, scenario: graphqlRequest(name, kirak) },
    ...(rest === undefined
      ? []
      : [{ name: "REST", server: ours, scenario: { name, method: "GET" as const, path: rest } }]),
    ...(theirs === null
      ? []
      : [{ name: "postgraphile", server: theirs, scenario: graphqlRequest(name, postgraphile) }]),
  ];
}
