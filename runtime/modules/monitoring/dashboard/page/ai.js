// @ts-check
import { bucketsOf, callStatuses, runStatuses, windowOf } from "./address.js";
import { timeChart } from "./chart.js";
import { failureTone, filterList, html, outcomeTone, panel, tile } from "./html.js";
import { figureColumn, table, textColumn } from "./table.js";
import {
  compactText,
  countText,
  dollarText,
  durationText,
  momentText,
  nothing,
  percentText,
} from "./texts.js";

/** @import { AiRun, AiSummary, McpCall, Reads, RunFigures, ToolFigures } from "../../records/reads.ts" */
/** @import { Column, Look, Reading, ViewTools } from "./types.ts" */

/** Runs of AI agents: how many, what they cost, which failed. @param {Reading} reading */
export async function readAi(reading) {
  const { client, signal, filters } = reading;
  const asked = windowOf(reading);
  const [summary, costs, { agents }, { models }, { tools }, { runs }] = await Promise.all([
    client.get("ai/summary", signal, asked),
    client.get("ai/cost-timeseries", signal, bucketsOf(reading)),
    client.get("ai/agents", signal, asked),
    client.get("ai/models", signal, asked),
    client.get("ai/tools", signal, asked),
    client.get("ai/runs", signal, { ...asked, status: filters.runs }),
  ]);
  return { summary, costs, agents, models, tools, runs };
}

/** Calls of tools over MCP. @param {Reading} reading */
export async function readMcp(reading) {
  const { client, signal, filters } = reading;
  const asked = windowOf(reading);
  const [{ tools }, { calls }] = await Promise.all([
    client.get("mcp/summary", signal, asked),
    client.get("mcp/calls", signal, { ...asked, server: filters.server, status: filters.calls }),
  ]);
  return { tools, calls };
}

const none = "No runs in this window";

/** @type {Look} */
const costLook = {
  title: "Cost",
  series: [{ label: "all agents", color: "--violet", form: "bars" }],
  text: dollarText,
  empty: "No costs in this window",
};

/** @type {Look} */
const runsLook = {
  title: "Runs",
  series: [{ label: "all agents", color: "--blue", form: "bars" }],
  text: compactText,
  isCounted: true,
  empty: none,
};

/** @type {readonly Column<Pick<RunFigures, "avg_duration_ms" | "p95_duration_ms">>[]} */
const durationColumns = [
  figureColumn("Average", ({ avg_duration_ms }) => avg_duration_ms, durationText),
  figureColumn("p95", ({ p95_duration_ms }) => p95_duration_ms, durationText),
];

/** @type {Column<Pick<RunFigures, "error_rate">>} */
const failedColumn = figureColumn("Failed", ({ error_rate }) => error_rate, percentText, {
  tone: ({ error_rate }) => failureTone(error_rate, "quiet"),
});

/** @type {readonly Column<RunFigures>[]} */
const runColumns = [
  figureColumn("Runs", ({ runs }) => runs, countText),
  failedColumn,
  figureColumn("Cost", ({ cost_usd }) => cost_usd, dollarText),
  figureColumn("Tokens", ({ total_tokens }) => total_tokens, compactText),
  ...durationColumns,
];

/** @type {readonly Column<ToolFigures>[]} */
const toolColumns = [
  textColumn("Tool", ({ tool }) => tool),
  figureColumn("Calls", ({ calls }) => calls, countText),
  failedColumn,
  ...durationColumns,
];

/** @type {readonly Column<AiRun>[]} */
const recentColumns = [
  { title: "Time", text: ({ at }) => momentText(at) },
  {
    title: "Status",
    text: ({ status }) => status.replace("_", " "),
    tone: ({ status }) => outcomeTone(status),
  },
  { title: "Agent", text: ({ agent }) => agent },
  { title: "Model", text: ({ model }) => model },
  { title: "Cost", text: ({ cost_usd }) => dollarText(cost_usd), isFigure: true },
  { title: "Tokens", text: ({ total_tokens }) => compactText(total_tokens), isFigure: true },
  { title: "Duration", text: ({ duration_ms }) => durationText(duration_ms), isFigure: true },
  { title: "Turns", text: ({ turns }) => countText(turns), isFigure: true, isMinor: true },
  { title: "Tools", text: ({ tool_calls }) => countText(tool_calls), isFigure: true, isMinor: true },
  { title: "Error", text: ({ error_code }) => error_code ?? nothing, isMinor: true },
  { title: "User", text: ({ user_id }) => user_id ?? nothing, isMinor: true },
];

/** @type {readonly Column<Reads["mcp_summary"]["result"]["tools"][number]>[]} */
const mcpToolColumns = [
  textColumn("Server", ({ server }) => server),
  textColumn("Tool", ({ tool }) => tool),
  figureColumn("Calls", ({ calls }) => calls, countText),
  figureColumn("Errors", ({ errors }) => errors, countText, {
    tone: ({ errors }) => failureTone(errors, "quiet"),
  }),
  figureColumn("Asked", ({ asked }) => asked, countText),
  ...durationColumns,
];

/** @type {readonly Column<McpCall>[]} */
const mcpCallColumns = [
  { title: "Time", text: ({ at }) => momentText(at) },
  { title: "Status", text: ({ status }) => status, tone: ({ status }) => outcomeTone(status) },
  { title: "Server", text: ({ server }) => server },
  { title: "Tool", text: ({ tool }) => tool },
  { title: "Duration", text: ({ duration_ms }) => durationText(duration_ms), isFigure: true },
  { title: "Error", text: ({ error_code }) => error_code ?? nothing },
  { title: "Confirmation", text: ({ confirmation }) => confirmation ?? nothing, isMinor: true },
  { title: "Operation", text: ({ operation_ref }) => operation_ref ?? nothing, isMinor: true },
  { title: "Caller", text: ({ caller }) => caller ?? nothing, isMinor: true },
];

/**
 * @param {Awaited<ReturnType<typeof readAi>>} data
 * @param {ViewTools} tools
 */
export function aiView({ summary, costs, agents, models, tools, runs }, { filters, setFilter, openDetails }) {
  const agentTable = table({
    label: "Agents",
    items: agents,
    columns: [textColumn("Agent", ({ agent }) => agent), ...runColumns],
    keyOf: ({ agent }) => agent,
    empty: none,
    sortedBy: "Cost",
  });
  const modelTable = table({
    label: "Models",
    items: models,
    columns: [textColumn("Model", ({ model }) => model), ...runColumns],
    keyOf: ({ model }) => model,
    empty: none,
    sortedBy: "Cost",
  });
  const toolTable = table({
    label: "Tools",
    items: tools,
    columns: toolColumns,
    keyOf: ({ tool }) => tool,
    empty: "No calls of tools in this window",
    sortedBy: "Calls",
  });
  const recentTable = table({
    label: "Recent runs",
    items: runs,
    columns: recentColumns,
    keyOf: ({ run_id }) => run_id,
    empty: "No such runs in this window",
    open: ({ run_id }) => openDetails("run", run_id),
  });
  const setStatus = (/** @type {string} */ value) => setFilter("runs", value);
  return html`
    <dl id="ai-summary" class="tiles">${aiTiles(summary)}</dl>
    <div id="ai-costs" class="charts">
      ${timeChart(costLook, costs, ({ cost_usd }) => [cost_usd])}
      ${timeChart(runsLook, costs, ({ runs: count }) => [count])}
    </div>
    <div class="pair even">
      ${panel("ai-agents", "Agents", agentTable)} ${panel("ai-models", "Models", modelTable)}
    </div>
    ${panel("ai-tools", "Tools", toolTable)}
    ${panel("ai-runs", "Recent runs", recentTable, filterList("run-status", "Status", runStatuses, filters.runs, setStatus))}`;
}

/** @param {AiSummary} summary */
function aiTiles({ completed, failed, pending_approval: pending, ...summary }) {
  const { input_tokens: input, output_tokens: output } = summary;
  return [
    tile(
      "Runs",
      countText(summary.runs),
      `${countText(completed)} completed, ${countText(pending)} pending approval`,
    ),
    tile("Failed", percentText(summary.error_rate), `${countText(failed)} runs`, {
      tone: failureTone(failed),
    }),
    tile("Cost", dollarText(summary.cost_usd), `${dollarText(summary.avg_cost_usd)} a run`),
    tile("Tokens", compactText(summary.total_tokens), `${compactText(input)} in, ${compactText(output)} out`),
    tile(
      "p95 of a run",
      durationText(summary.p95_duration_ms),
      `average ${durationText(summary.avg_duration_ms)}`,
    ),
  ];
}

/**
 * @param {Awaited<ReturnType<typeof readMcp>>} data
 * @param {ViewTools} tools
 */
export function mcpView({ tools, calls }, { filters, setFilter }) {
  const toolTable = table({
    label: "Servers and tools",
    items: tools,
    columns: mcpToolColumns,
    keyOf: ({ server, tool }) => JSON.stringify([server, tool]),
    empty: "No calls in this window",
    sortedBy: "Calls",
  });
  const callTable = table({
    label: "Recent calls",
    items: calls,
    columns: mcpCallColumns,
    keyOf: (call) => JSON.stringify(call),
    empty: "No such calls in this window",
  });
  // The chosen server stays in the list, even if it has no calls any more.
  const servers = new Set(
    [filters.server, ...tools.map(({ server }) => server)].filter((server) => server !== ""),
  );
  return html`
    ${panel("mcp-tools", "Servers and tools", toolTable)}
    ${panel("mcp-calls", "Recent calls", callTable, [
      filterList("mcp-server", "Server", [...servers].sort(), filters.server, (value) =>
        setFilter("server", value),
      ),
      filterList("mcp-status", "Status", callStatuses, filters.calls, (value) => setFilter("calls", value)),
    ])}`;
}
