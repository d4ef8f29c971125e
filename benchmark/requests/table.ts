import type { Measured } from "../compare.ts";
import type { Figures } from "../measure.ts";

type Figure = (figures: Figures) => number;

const cpu: Figure = (figures) => figures.cpu;
const database: Figure = ({ databaseCpu }) => databaseCpu ?? Number.NaN;
const both: Figure = (figures) => figures.cpu + database(figures);

/** Rows of the table: what of the service, beside whom. */
const rows: readonly { readonly name: string; readonly of: Figure; readonly beside: string }[] = [
  { name: "CPU, this service / raw", of: cpu, beside: "raw" },
  { name: "CPU, this service / Fastify", of: cpu, beside: "fastify" },
  { name: "CPU, this service / Express", of: cpu, beside: "express" },
  { name: "PostgreSQL's CPU, this service / raw", of: database, beside: "raw" },
  { name: "both CPUs together, this service / raw", of: both, beside: "raw" },
  { name: "p99, this service / Fastify", of: ({ p99Ms }) => p99Ms, beside: "fastify" },
];

/** Prints what the service takes beside the others as a table of Markdown, a column for each scenario. */
export function printTable(measured: ReadonlyMap<string, Measured>): void {
  const line = (cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);
  console.log("");
  line(["", ...measured.keys()]);
  line(["---", ...[...measured.keys()].map(() => "---")]);
  for (const { name, of, beside } of rows) {
    const cells = [...measured.values()].map((figures) => {
      const [ours, theirs] = [figures.get("kirak"), figures.get(beside)];
      return ours === undefined || theirs === undefined ? "–" : (of(ours) / of(theirs)).toFixed(2);
    });
    line([name, ...cells]);
  }
}
