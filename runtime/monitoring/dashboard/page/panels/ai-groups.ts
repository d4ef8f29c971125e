import type { Reads, RunFigures, ToolFigures } from "../../../records/reads.ts";
import { compactText, countText, dollarText, percentText } from "../text/number-texts.ts";
import { type Column, DataTable } from "../widgets/data-table.ts";
import { countTone } from "../widgets/tone.ts";
import { durationColumns } from "./duration-columns.ts";

type Agent = Reads["ai_agents"]["answers"]["agents"][number];
type Model = Reads["ai_models"]["answers"]["models"][number];
type Figures = Pick<RunFigures, "error_rate" | "avg_duration_ms" | "p95_duration_ms">;

const empty = "No runs in this window";

const failed: Column<Figures> = {
  title: "Failed",
  text: ({ error_rate }) => percentText(error_rate),
  order: ({ error_rate }) => error_rate,
  tone: ({ error_rate }) => countTone(error_rate),
  isFigure: true,
};

const runColumns: readonly Column<RunFigures>[] = [
  { title: "Runs", text: ({ runs }) => countText(runs), order: ({ runs }) => runs, isFigure: true },
  failed,
  {
    title: "Cost",
    text: ({ cost_usd }) => dollarText(cost_usd),
    order: ({ cost_usd }) => cost_usd,
    isFigure: true,
  },
  {
    title: "Tokens",
    text: ({ total_tokens }) => compactText(total_tokens),
    order: ({ total_tokens }) => total_tokens,
    isFigure: true,
  },
  ...durationColumns,
];

/** Runs by agent. */
export function agentsTable(host: HTMLElement): DataTable<Agent> {
  const agent: Column<Agent> = { title: "Agent", text: (row) => row.agent, order: (row) => row.agent };
  const columns = [agent, ...runColumns];
  return new DataTable(host, {
    label: "Agents",
    columns,
    keyOf: (row) => row.agent,
    empty,
    sortedBy: "Cost",
  });
}

/** Runs by model. */
export function modelsTable(host: HTMLElement): DataTable<Model> {
  const model: Column<Model> = { title: "Model", text: (row) => row.model, order: (row) => row.model };
  const columns = [model, ...runColumns];
  return new DataTable(host, {
    label: "Models",
    columns,
    keyOf: (row) => row.model,
    empty,
    sortedBy: "Cost",
  });
}

/** Calls of tools by tool. */
export function toolsTable(host: HTMLElement): DataTable<ToolFigures> {
  const columns: readonly Column<ToolFigures>[] = [
    { title: "Tool", text: ({ tool }) => tool, order: ({ tool }) => tool },
    { title: "Calls", text: ({ calls }) => countText(calls), order: ({ calls }) => calls, isFigure: true },
    failed,
    ...durationColumns,
  ];
  return new DataTable(host, {
    label: "Tools",
    columns,
    keyOf: ({ tool }) => tool,
    empty: "No calls of tools in this window",
    sortedBy: "Calls",
  });
}
