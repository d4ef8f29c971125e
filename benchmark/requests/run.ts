import { type Contestant, type Course, compare, type Measured, print, ratio } from "../compare.ts";
import { keepOnCore, otherCore, serverCore } from "../cores.ts";
import { databaseCpu, postmasterOf } from "../database-cpu.ts";
import { graphqlRequest, graphqlScenarios } from "../graphql/scenarios.ts";
import { type RunningServer, type Start, stopServer } from "../measure.ts";
import { type Scenario, scenarios } from "../scenarios.ts";
import { printProfile } from "./profile.ts";
import { printTable } from "./table.ts";

export interface Ground {
  /** Of the database. */
  readonly url: string;
  readonly start: Start;
  /** Starts the service that is measured. */
  readonly startKirak: () => Promise<RunningServer>;
  /** Prints where the time goes in place of comparing. */
  readonly profiles: boolean;
}

/** Whose time is looked at. */
const profiled = ["raw", "fastify", "kirak"];

/** What is measured of each server; Express has no GraphQL. */
function scenariosFor(only: string): readonly Scenario[] {
  const graphql = graphqlScenarios
    .filter(({ name }) => name.endsWith("with a join") || name.endsWith("by group"))
    .map(({ name, kirak }) => graphqlRequest(name, kirak));
  return [...scenarios, ...graphql].filter(({ name }) => name.includes(only));
}

/**
 * Compares the service with hand-written servers: raw `node:http`, Fastify with Mercurius, Express. Each runs on a core of its own,
 * PostgreSQL and the load on another one. `only`: a part of the names of scenarios.
 */
export async function benchmarkRequests(ground: Ground, only: string, course: Course): Promise<void> {
  const chosen = scenariosFor(only);
  if (chosen.length === 0) return;
  const postmaster = await postmasterOf(ground.url);
  for (const pid of [postmaster, process.pid]) keepOnCore(pid, otherCore);
  const servers = [
    await ground.start("raw", "raw"),
    await ground.start("fastify", "fastify"),
    await ground.start("express", "express"),
    await ground.startKirak(),
  ];
  for (const server of servers) keepOnCore(server.process.pid, serverCore);
  const withDatabase = { ...course, databaseCpu: await databaseCpu(ground.url) };
  const all = new Map<string, Measured>();
  for (const scenario of chosen) {
    if (ground.profiles) {
      for (const { server } of contestants(servers, scenario))
        if (profiled.includes(server.name)) await printProfile(server, scenario, ground.url, course);
      continue;
    }
    const measured = await compare(contestants(servers, scenario), withDatabase);
    all.set(scenario.name, measured);
    print(scenario.name, measured);
    console.log(`  CPU of kirak: ${ratio(measured, "kirak", "fastify", "cpu")} of fastify (at most 1.0)`);
  }
  if (!ground.profiles) printTable(all);
  await Promise.all(servers.map(stopServer));
  for (const pid of [postmaster, process.pid]) keepOnCore(pid, null);
}

function contestants(servers: readonly RunningServer[], scenario: Scenario): Contestant[] {
  const able = servers.filter(({ name }) => name !== "express" || scenario.path(0) !== "/graphql");
  return able.map((server) => ({ name: server.name, server, scenario }));
}
