import { byId, place } from "../dom.ts";
import { LatencyBars } from "../panels/latency-bars.ts";
import { RecentRequests } from "../panels/recent-requests.ts";
import { routesTable } from "../panels/routes-table.ts";
import { SummaryTiles } from "../panels/summary-tiles.ts";
import { TrafficCharts } from "../panels/traffic-charts.ts";
import { bucketsOfSpan, type Reading, type View, type ViewTools, windowOf } from "./view.ts";

/** As many as the endpoint gives: the filter by route looks at these. */
const mostRecent = 200;

/** Requests: how many, how fast, which fail, where. */
export class RequestsView implements View {
  readonly #summary = new SummaryTiles(place("summary"));
  readonly #charts = new TrafficCharts(place("traffic"));
  readonly #latencies = new LatencyBars(place("latencies"));
  readonly #routes = routesTable(place("routes"));
  readonly #recent: RecentRequests;
  readonly #filter = byId("route-filter", HTMLInputElement);

  constructor({ openTrace, refresh }: ViewTools) {
    this.#filter.addEventListener("change", refresh);
    this.#recent = new RecentRequests({ onStatus: refresh, openTrace });
  }

  async refresh(reading: Reading): Promise<void> {
    const { client, signal, span } = reading;
    const filter = this.#filter.value.trim();
    const limit = filter === "" ? "" : mostRecent;
    const isWanted = ({ route }: { readonly route: string }) => route.includes(filter);
    const [summary, timeseries, histogram, { routes }, { requests }] = await Promise.all([
      client.get("summary", windowOf(reading), signal),
      client.get("requests/timeseries", bucketsOfSpan(reading), signal),
      client.get("requests/latency-histogram", windowOf(reading), signal),
      client.get("requests", windowOf(reading), signal),
      client.get("requests/recent", { status: this.#recent.status, limit }, signal),
    ]);
    this.#summary.show(summary, span);
    this.#charts.show(timeseries);
    this.#latencies.show(histogram);
    this.#routes.show(routes.filter(isWanted));
    this.#recent.show(requests.filter(isWanted));
  }
}
