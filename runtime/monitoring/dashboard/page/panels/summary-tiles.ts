import type { Summary } from "../../../records/reads.ts";
import type { TimeSpan } from "../live/time-spans.ts";
import {
  countText,
  durationText,
  nothing,
  percentText,
  pointsText,
  rateText,
  signed,
} from "../text/number-texts.ts";
import { StatTiles, type Tile } from "../widgets/stat-tiles.ts";
import { failureTone, type Tone } from "../widgets/tone.ts";

/** The figures of a window, each with that of the window before. */
export class SummaryTiles {
  readonly #tiles: StatTiles;

  constructor(host: HTMLElement) {
    this.#tiles = new StatTiles(host);
  }

  show(summary: Summary, { before }: TimeSpan): void {
    const { delta, duration_ms: duration } = summary;
    const compared = (difference: number | null, text: (size: number) => string) =>
      difference === null ? `no traffic in the ${before}` : `${signed(difference, text)} on the ${before}`;
    const isWorse = (difference: number | null): Tone =>
      difference === null || difference <= 0 ? "plain" : "warn";
    const failures = (title: string, share: number, count: number, difference: number): Tile => ({
      title,
      value: percentText(share),
      tone: title === "5xx" ? failureTone(share) : "plain",
      note: `${countText(count)} requests, ${signed(difference, pointsText)}`,
      noteTone: isWorse(difference),
    });
    this.#tiles.show([
      {
        title: "Requests per second",
        value: rateText(summary.request_rate),
        note: compared(delta.request_rate, rateText),
      },
      {
        title: "Requests",
        value: countText(summary.requests),
        note: compared(delta.requests, countText),
      },
      failures("4xx", summary.error_rate_4xx, summary.errors_4xx, delta.error_rate_4xx),
      failures("5xx", summary.error_rate_5xx, summary.errors_5xx, delta.error_rate_5xx),
      { title: "Median", value: durationText(duration.p50), note: `average ${durationText(duration.avg)}` },
      {
        title: "p95",
        value: durationText(duration.p95),
        note: duration.p95 === null ? nothing : compared(delta.p95, durationText),
        noteTone: isWorse(delta.p95),
      },
      { title: "p99", value: durationText(duration.p99), note: `slowest ${durationText(duration.max)}` },
    ]);
  }
}
