import { place } from "../dom.ts";
import { LatencyBars } from "../panels/latency-bars.ts";
import { RecentRequests } from "../panels/recent-requests.ts";
import { routesTable } from "../panels/routes-table.ts";
import { SummaryTiles } from "../panels/summary-tiles.ts";
import { TrafficCharts } from "../panels/traffic-charts.ts";
import { bucketsOfSpan, type Reading, type View, type ViewTools, windowOf } from "./view.ts";

/** Requests: how many, how fast, which fail, where. */
export class RequestsView implements View {
  readonly #summary = new SummaryTiles(place("summary"));
  readonly #charts = new TrafficCharts(place("traffic"));
  readonly #latencies = new LatencyBars(place("latencies"));
  readonly #routes = routesTable(place("routes"));
  readonly #recent: RecentRequests;

  constructor({ openTrace, refresh }: ViewTools) {
    this.#recent = new RecentRequests({ onStatus: refresh, openTrace });
  }

  async refresh(reading: Reading): Promise<void> {
    const { client, signal, span } = reading;
    const [summary, timeseries, histogram, { routes }, { requests }] = await Promise.all([
      client.get("summary", windowOf(reading), signal),
      client.get("requests/timeseries", bucketsOfSpan(reading), signal),
      client.get("requests/latency-histogram", windowOf(reading), signal),
      client.get("requests", windowOf(reading), signal),
      client.get("requests/recent", { status: this.#recent.status }, signal),
    ]);
    this.#summary.show(summary, span);
    this.#charts.show(timeseries);
    this.#latencies.show(histogram);
    this.#routes.show(routes);
    this.#recent.show(requests);
  }
}
