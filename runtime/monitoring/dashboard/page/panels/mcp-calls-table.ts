import type { McpCall } from "../../../records/reads.ts";
import { durationText, nothing } from "../text/number-texts.ts";
import { momentText } from "../text/time-texts.ts";
import { type Column, DataTable } from "../widgets/data-table.ts";
import { outcomeTone } from "../widgets/tone.ts";

const columns: readonly Column<McpCall>[] = [
  { title: "Time", text: ({ at }) => momentText(at, new Date()) },
  { title: "Status", text: ({ status }) => status, tone: ({ status }) => outcomeTone(status) },
  { title: "Server", text: ({ server }) => server },
  { title: "Tool", text: ({ tool }) => tool },
  { title: "Duration", text: ({ duration_ms }) => durationText(duration_ms), isFigure: true },
  { title: "Error", text: ({ error_code }) => error_code ?? nothing },
  { title: "Confirmation", text: ({ confirmation }) => confirmation ?? nothing, isMinor: true },
  { title: "Operation", text: ({ operation_ref }) => operation_ref ?? nothing, isMinor: true },
  { title: "Caller", text: ({ caller }) => caller ?? nothing, isMinor: true },
];

/** The latest calls. */
export function mcpCallsTable(host: HTMLElement): DataTable<McpCall> {
  return new DataTable(host, {
    label: "Recent calls",
    columns,
    keyOf: (call) => JSON.stringify(call),
    empty: "No such calls in this window",
  });
}
