import type { Reads, StoreHealth } from "../../records/reads.ts";
import type { timeSpans } from "./address.js";
import type { ApiClient } from "./api.js";

/** Answers of the endpoints, by path below `/monitoring`. */
export interface Answers {
  readonly health: StoreHealth;
  readonly summary: Reads["summary"]["result"];
  readonly requests: Reads["routes"]["result"];
  readonly "requests/timeseries": Reads["timeseries"]["result"];
  readonly "requests/latency-histogram": Reads["histogram"]["result"];
  readonly "requests/recent": Reads["recent"]["result"];
  readonly "ai/summary": Reads["ai_summary"]["result"];
  readonly "ai/cost-timeseries": Reads["ai_costs"]["result"];
  readonly "ai/agents": Reads["ai_agents"]["result"];
  readonly "ai/models": Reads["ai_models"]["result"];
  readonly "ai/tools": Reads["ai_tools"]["result"];
  readonly "ai/runs": Reads["ai_runs"]["result"];
  readonly "mcp/summary": Reads["mcp_summary"]["result"];
  readonly "mcp/calls": Reads["mcp_calls"]["result"];
}

/** Answers of the endpoints of one thing, whose id is the last part of the path. */
export interface AnswersById {
  readonly trace: NonNullable<Reads["trace"]["result"]>;
  readonly "ai/runs": NonNullable<Reads["ai_run"]["result"]>;
}

export type TimeSpan = (typeof timeSpans)[number];

/** Filters of lists, by name in the address. The empty text does not filter. */
export interface Filters {
  readonly route: string;
  readonly requests: string;
  readonly runs: string;
  readonly calls: string;
  readonly server: string;
}

/** The parameters of the figures of a view. */
export interface Reading {
  readonly client: ApiClient;
  readonly signal: AbortSignal;
  readonly span: TimeSpan;
  readonly filters: Filters;
  readonly health: Promise<StoreHealth>;
}

/** The actions of a user in a view. */
export interface ViewTools {
  readonly filters: Filters;
  readonly setFilter: (name: keyof Filters, value: string) => void;
  readonly openDetails: (kind: "trace" | "run", id: string) => void;
  /** The filter by route while the user types it. */
  readonly routeText: string;
  readonly onRouteText: (text: string) => void;
}

/** Selects the color in the style sheet. The text always gives the same information. */
export type Tone = "plain" | "quiet" | "good" | "warn" | "bad";

export interface Column<Item> {
  readonly title: string;
  readonly text: (item: Item) => string;
  /** Rows can be sorted by it. */
  readonly order?: (item: Item) => number | string;
  /** Aligned to the right. */
  readonly isFigure?: boolean;
  readonly tone?: (item: Item) => Tone;
  /** Left out in a narrow window. */
  readonly isMinor?: boolean;
}

export interface TableOptions<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  /** The text of a table without rows. */
  readonly empty: string;
  /** The column that sorts at first. Default: rows keep their order. */
  readonly sortedBy?: string;
  readonly open?: (item: Item) => void;
}

export interface TableProps extends Pick<TableOptions<never>, "label" | "empty"> {
  readonly heads: readonly (Pick<Column<never>, "title" | "isFigure"> & {
    isSortable: boolean;
    className: string;
  })[];
  readonly rows: readonly { key: string; cells: readonly Cell[]; open: (() => void) | null }[];
  readonly sortedBy: string | null;
}

interface Cell {
  readonly text: string;
  readonly order: number | string;
  readonly tone: Tone | null;
}

export interface Series {
  readonly label: string;
  /** The custom property of its colour. */
  readonly color: `--${string}`;
  readonly form: "area" | "line" | "bars";
}

/** How a chart is drawn. */
export interface Look {
  readonly title: string;
  readonly series: readonly Series[];
  readonly text: (value: number) => string;
  /** Of values of the axis. Default: `text`. */
  readonly roundText?: (value: number) => string;
  /** The text of a chart in which nothing happened. */
  readonly empty: string;
  readonly isCounted?: boolean;
  /** The series are parts of a whole. */
  readonly isStacked?: boolean;
}

export interface ChartProps {
  readonly look: Look;
  /** As the service answered: the chart draws again when they change. */
  readonly buckets: readonly object[];
  /** A value per series for each bucket; null: nothing happened. */
  readonly moments: readonly { readonly at: string; readonly values: readonly (number | null)[] }[];
  readonly bucketSeconds: number;
}
