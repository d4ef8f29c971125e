import type { McpSummary } from "../../../records/reads.ts";
import { countText } from "../text/number-texts.ts";
import { type Column, DataTable } from "../widgets/data-table.ts";
import { countTone } from "../widgets/tone.ts";
import { durationColumns } from "./duration-columns.ts";

type Tool = McpSummary["tools"][number];

const columns: readonly Column<Tool>[] = [
  { title: "Server", text: ({ server }) => server, order: ({ server }) => server },
  { title: "Tool", text: ({ tool }) => tool, order: ({ tool }) => tool },
  { title: "Calls", text: ({ calls }) => countText(calls), order: ({ calls }) => calls, isFigure: true },
  {
    title: "Errors",
    text: ({ errors }) => countText(errors),
    order: ({ errors }) => errors,
    tone: ({ errors }) => countTone(errors),
    isFigure: true,
  },
  { title: "Asked", text: ({ asked }) => countText(asked), order: ({ asked }) => asked, isFigure: true },
  ...durationColumns,
];

/** Calls by server and tool. */
export function mcpToolsTable(host: HTMLElement): DataTable<Tool> {
  return new DataTable(host, {
    label: "Servers and tools",
    columns,
    keyOf: ({ server, tool }) => JSON.stringify([server, tool]),
    empty: "No calls in this window",
    sortedBy: "Calls",
  });
}
