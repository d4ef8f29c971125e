import type { AiRun } from "../../../records/reads.ts";
import { byId, place } from "../dom.ts";
import { compactText, countText, dollarText, durationText, nothing } from "../text/number-texts.ts";
import { momentText } from "../text/time-texts.ts";
import { type Column, DataTable } from "../widgets/data-table.ts";
import { outcomeTone } from "../widgets/tone.ts";

const columns: readonly Column<AiRun>[] = [
  { title: "Time", text: ({ at }) => momentText(at, new Date()) },
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

export interface RecentRunsOptions {
  readonly onStatus: () => void;
  readonly openRun: (runId: string) => void;
}

/** The latest runs, each with its calls of tools behind it. */
export class RecentRuns {
  readonly #status = byId("run-status", HTMLSelectElement);
  readonly #table: DataTable<AiRun>;

  constructor({ onStatus, openRun }: RecentRunsOptions) {
    this.#status.addEventListener("change", onStatus);
    this.#table = new DataTable(place("ai-runs"), {
      label: "Recent runs",
      columns,
      keyOf: ({ run_id }) => run_id,
      empty: "No such runs in this window",
      open: ({ run_id }) => openRun(run_id),
    });
  }

  /** `completed`, `failed`, `pending_approval`; empty: any. */
  get status(): string {
    return this.#status.value;
  }

  show(runs: readonly AiRun[]): void {
    this.#table.show(runs);
  }
}
