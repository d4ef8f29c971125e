import type { ReadRequest } from "../../records/messages.ts";
import type { ReadName, Reads } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { bytesOf } from "../rows/size-limit.ts";
import { alerts } from "./alerts.ts";
import { histogram, routes, summary, timeseries } from "./request-figures.ts";
import { recent, trace } from "./request-trace.ts";
import {
  aiAgents,
  aiCosts,
  aiModels,
  aiRun,
  aiRuns,
  aiSummary,
  aiTools,
  mcpCalls,
  mcpSummary,
} from "./runs-and-calls.ts";

type Readers = {
  [Name in ReadName]: (database: Database, asked: Reads[Name]["args"]) => Reads[Name]["result"];
};

/** Bytes of the file and its journal. Throws if the file cannot be read. */
function size(database: Database): number {
  database.prepare("select 1 from http_requests limit 1").get();
  return bytesOf(database.name);
}

/** All reads by name. */
export const readers: Readers = {
  summary,
  routes,
  timeseries,
  histogram,
  recent,
  trace,
  ai_summary: aiSummary,
  ai_costs: aiCosts,
  ai_agents: aiAgents,
  ai_models: aiModels,
  ai_tools: aiTools,
  ai_runs: aiRuns,
  ai_run: aiRun,
  mcp_summary: mcpSummary,
  mcp_calls: mcpCalls,
  alerts,
  size,
};

/** Runs a read in one transaction. Returns its result as JSON text. */
export function runRead<Name extends ReadName>(database: Database, request: ReadRequest<Name>): string {
  const read = readers[request.name];
  return database.transaction(() => JSON.stringify(read(database, request.args))).deferred();
}
