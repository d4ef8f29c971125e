import type { AiSummary } from "../../../records/reads.ts";
import { compactText, countText, dollarText, durationText, percentText } from "../text/number-texts.ts";
import { StatTiles } from "../widgets/stat-tiles.ts";
import { failureTone } from "../widgets/tone.ts";

/** The figures of all runs in a window. */
export class AiTiles {
  readonly #tiles: StatTiles;

  constructor(host: HTMLElement) {
    this.#tiles = new StatTiles(host);
  }

  show(summary: AiSummary): void {
    const { completed, failed, pending_approval: pending } = summary;
    this.#tiles.show([
      {
        title: "Runs",
        value: countText(summary.runs),
        note: `${countText(completed)} completed, ${countText(pending)} pending approval`,
      },
      {
        title: "Failed",
        value: percentText(summary.error_rate),
        tone: failureTone(summary.error_rate),
        note: `${countText(failed)} runs`,
      },
      {
        title: "Cost",
        value: dollarText(summary.cost_usd),
        note: `${dollarText(summary.avg_cost_usd)} a run`,
      },
      {
        title: "Tokens",
        value: compactText(summary.total_tokens),
        note: `${compactText(summary.input_tokens)} in, ${compactText(summary.output_tokens)} out`,
      },
      {
        title: "p95 of a run",
        value: durationText(summary.p95_duration_ms),
        note: `average ${durationText(summary.avg_duration_ms)}`,
      },
    ]);
  }
}
