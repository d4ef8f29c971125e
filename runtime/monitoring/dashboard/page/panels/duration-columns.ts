import type { RunFigures } from "../../../records/reads.ts";
import { durationText } from "../text/number-texts.ts";
import type { Column } from "../widgets/data-table.ts";

/** How long runs and calls took. */
export const durationColumns: readonly Column<Pick<RunFigures, "avg_duration_ms" | "p95_duration_ms">>[] = [
  {
    title: "Average",
    text: ({ avg_duration_ms }) => durationText(avg_duration_ms),
    order: ({ avg_duration_ms }) => avg_duration_ms,
    isFigure: true,
  },
  {
    title: "p95",
    text: ({ p95_duration_ms }) => durationText(p95_duration_ms),
    order: ({ p95_duration_ms }) => p95_duration_ms,
    isFigure: true,
  },
];
