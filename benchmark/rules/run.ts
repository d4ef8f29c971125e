import { randomUUID } from "node:crypto";
import jsonwebtoken from "jsonwebtoken";
import pg from "pg";
import { type Course, compare, print, ratio } from "../compare.ts";
import { median, type Start, stopServer } from "../measure.ts";
import { type RuleRole, ruleRoles } from "../servers/tracker-statements.ts";
import { comparePages } from "./pages.ts";
import { requireIndexes } from "./plans.ts";
import { type Pair, pairsOf } from "./tracker-plans.ts";
import { counts, fillTracker } from "./tracker-rows.ts";

/** What the rule of a role says. */
const described: Readonly<Record<RuleRole, string>> = {
  member: "EXISTS (organisation.memberships WHERE user_id = {user_id})",
  manager:
    "EXISTS (project.organisation.memberships WHERE user_id = {user_id} AND role IN ('owner', 'admin'))",
  owner: "organisation.owner_id = {user_id}",
  landlord: "project.organisation.owner_id = {user_id}",
  colleague: "assignee_id = {user_id} OR EXISTS (organisation.memberships WHERE user_id = {user_id})",
};

/** PostgreSQL joins nothing that stands under OR: there it reads all rows, also where the statement is written by hand. */
const readsAllRows: ReadonlySet<RuleRole> = new Set(["colleague"]);

/** Milliseconds that a statement is measured at most, and times. */
const longest = 3_000;
const mostTimes = 300;

/** Compares rules over relations with hand-written SQL: the statements in PostgreSQL, and then whole requests. */
export async function benchmarkRules(
  { url, start, secret }: { url: string; start: Start; secret: string },
  course: Course,
): Promise<void> {
  console.log(
    `\nrules over relations, ${counts.tasks.toLocaleString("en")} tasks of ${counts.organisations.toLocaleString("en")} organisations`,
  );
  await fillTracker(url);
  await compareStatements(url);
  await comparePages(url);
  await compareRequests(start, secret, course);
}

async function compareStatements(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const role of ruleRoles) {
      console.log(`  ${described[role]}`);
      for (const pair of pairsOf(role)) await compareStatement(client, role, pair);
    }
  } finally {
    await client.end();
  }
}

/** The n-th caller, in an order that no cache likes. */
const userOf = (n: number): string => String(1 + ((n * 7919) % counts.users));

async function compareStatement(client: pg.Client, role: RuleRole, pair: Pair): Promise<void> {
  if (!readsAllRows.has(role)) await requireIndexes(client, pair.kirak(userOf(1)), "tasks");
  const times = { kirak: [] as number[], plain: [] as number[] };
  const began = performance.now();
  for (let n = 0; n < mostTimes && performance.now() - began < longest; n++) {
    // Who comes second finds the pages in memory.
    const turns = n % 2 === 0 ? (["kirak", "plain"] as const) : (["plain", "kirak"] as const);
    for (const name of turns) times[name].push(await timeOf(client, pair[name](userOf(n))));
  }
  const [kirak, plain] = [median(times.kirak), median(times.plain)];
  const cells = [`kirak ${kirak.toFixed(2)} ms`, `by hand ${plain.toFixed(2)} ms`];
  console.log(
    `    ${pair.name.padEnd(10)}  ${cells.map((cell) => cell.padStart(17)).join("  ")}  ${(kirak / plain).toFixed(2)} of it (at most 1.3)`,
  );
}

async function timeOf(client: pg.Client, statement: pg.QueryConfig): Promise<number> {
  const began = performance.now();
  await client.query(statement);
  return performance.now() - began;
}

async function compareRequests(start: Start, secret: string, course: Course): Promise<void> {
  const servers = [await start("kirak", "tracker"), await start("express", "tracker-express")];
  for (const role of ruleRoles.filter((name) => !readsAllRows.has(name))) {
    const tokens = Array.from({ length: 500 }, (_, n) => tokenOf(role, userOf(n), secret));
    for (const { name, path } of pairsOf(role)) {
      const headers = (n: number) => ({ authorization: `Bearer ${tokens[n % tokens.length]}` });
      const scenario = {
        name: `${name}, rule of ${role}`,
        method: "GET",
        path: () => path,
        headers,
      } as const;
      const measured = await compare(
        servers.map((server) => ({ name: server.name, server, scenario })),
        course,
      );
      print(`rules over relations, ${scenario.name}`, measured);
      console.log(
        `  requests per second: express has ${ratio(measured, "express", "kirak", "perSecond")} of kirak (at most 1.3)`,
      );
    }
  }
  await Promise.all(servers.map(stopServer));
}

function tokenOf(role: RuleRole, userId: string, secret: string): string {
  const claims = { role, email: "", type: "access" };
  return jsonwebtoken.sign(claims, secret, { subject: userId, jwtid: randomUUID(), expiresIn: "1d" });
}
