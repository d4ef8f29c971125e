import type { CostTimeseries } from "../../../records/reads.ts";
import { compactText, dollarText } from "../text/number-texts.ts";
import { TimeChart } from "../widgets/time-chart.ts";

const empty = "No runs in this window";

/** What runs cost over time, and how many there were. */
export class RunCostsChart {
  readonly #cost: TimeChart;
  readonly #runs: TimeChart;

  constructor(host: HTMLElement) {
    this.#cost = new TimeChart(host, {
      title: "Cost",
      series: [{ label: "all agents", color: "--violet", form: "bars" }],
      text: dollarText,
      empty: "No costs in this window",
    });
    this.#runs = new TimeChart(host, {
      title: "Runs",
      series: [{ label: "all agents", color: "--blue", form: "bars" }],
      text: compactText,
      isCounted: true,
      empty,
    });
  }

  show({ buckets, bucket_seconds: seconds }: CostTimeseries): void {
    this.#cost.show(
      buckets.map(({ at, cost_usd }) => ({ at, values: [cost_usd] })),
      seconds,
    );
    this.#runs.show(
      buckets.map(({ at, runs }) => ({ at, values: [runs] })),
      seconds,
    );
  }
}
