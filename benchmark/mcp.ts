import { type Course, compare, print, ratio } from "./compare.ts";
import { type Start, stopServer } from "./measure.ts";
import { printProfile } from "./requests/profile.ts";
import type { Scenario } from "./scenarios.ts";

const version = "2026-07-28";

const rest: Scenario = {
  name: "ten rows over REST",
  method: "GET",
  path: (n) => `/authors/fetch?country=C${n % 10}&limit=10&page__after=start&page__total=none`,
};

const tool: Scenario = {
  name: "ten rows over MCP",
  method: "POST",
  path: () => "/mcp",
  headers: () => ({
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": version,
    "mcp-method": "tools/call",
    "mcp-name": "authors_fetch",
  }),
  body: (n) => ({
    jsonrpc: "2.0",
    id: n,
    method: "tools/call",
    params: {
      name: "authors_fetch",
      arguments: { where: { country: `C${n % 10}` }, limit: 10 },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": { name: "benchmark", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  }),
};

interface Ground {
  /** Of the database. */
  readonly url: string;
  readonly start: Start;
  /** Prints where the time goes in place of comparing. */
  readonly profiles: boolean;
}

/** Compares a call of a tool with the same question over REST, on one server. */
export async function benchmarkMcp({ url, start, profiles }: Ground, course: Course): Promise<void> {
  const server = await start("kirak", "kirak", { BENCHMARK_MODELS: "10" });
  const contestants = [
    { name: "REST", server, scenario: rest },
    { name: "MCP", server, scenario: tool },
  ];
  if (profiles) for (const { scenario } of contestants) await printProfile(server, scenario, url, course);
  else {
    const measured = await compare(contestants, course);
    print("ten rows, as a tool of MCP", measured);
    console.log(`  CPU of MCP: ${ratio(measured, "MCP", "REST", "cpu")} of REST`);
  }
  await stopServer(server);
}
