import type { Timeseries } from "../../../records/reads.ts";
import { compactText, durationText, rateText, roundDurationText } from "../text/number-texts.ts";
import { TimeChart } from "../widgets/time-chart.ts";

const empty = "No requests in this window";

/** Requests, errors and latency over time. */
export class TrafficCharts {
  readonly #rate: TimeChart;
  readonly #errors: TimeChart;
  readonly #latency: TimeChart;

  constructor(host: HTMLElement) {
    this.#rate = new TimeChart(host, {
      title: "Requests per second",
      series: [{ label: "all", color: "--blue", form: "area" }],
      text: rateText,
      empty,
    });
    this.#errors = new TimeChart(host, {
      title: "Errors",
      series: [
        { label: "4xx", color: "--amber", form: "bars" },
        { label: "5xx", color: "--red", form: "bars" },
      ],
      text: compactText,
      empty: "No errors in this window",
      isCounted: true,
      isStacked: true,
    });
    this.#latency = new TimeChart(host, {
      title: "Latency",
      series: [
        { label: "p95", color: "--violet", form: "line" },
        { label: "average", color: "--teal", form: "line" },
      ],
      text: durationText,
      roundText: roundDurationText,
      empty,
    });
  }

  show({ buckets, bucket_seconds: seconds }: Timeseries): void {
    this.#rate.show(
      buckets.map(({ at, requests }) => ({ at, values: [requests / seconds] })),
      seconds,
    );
    this.#errors.show(
      buckets.map(({ at, errors_4xx, errors_5xx }) => ({ at, values: [errors_4xx, errors_5xx] })),
      seconds,
    );
    this.#latency.show(
      buckets.map(({ at, p95_ms, avg_ms }) => ({ at, values: [p95_ms, avg_ms] })),
      seconds,
    );
  }
}
