import { place } from "../dom.ts";
import { agentsTable, modelsTable, toolsTable } from "../panels/ai-groups.ts";
import { AiTiles } from "../panels/ai-tiles.ts";
import { RecentRuns } from "../panels/recent-runs.ts";
import { RunCostsChart } from "../panels/run-costs-chart.ts";
import { bucketsOfSpan, type Reading, type View, type ViewTools, windowOf } from "./view.ts";

/** Runs of AI agents: how many, what they cost, which fail. */
export class AiView implements View {
  readonly #tiles = new AiTiles(place("ai-summary"));
  readonly #costs = new RunCostsChart(place("ai-costs"));
  readonly #agents = agentsTable(place("ai-agents"));
  readonly #models = modelsTable(place("ai-models"));
  readonly #tools = toolsTable(place("ai-tools"));
  readonly #runs: RecentRuns;

  constructor({ openRun, refresh }: ViewTools) {
    this.#runs = new RecentRuns({ onStatus: refresh, openRun });
  }

  async refresh(reading: Reading): Promise<void> {
    const { client, signal } = reading;
    const asked = windowOf(reading);
    const [summary, costs, { agents }, { models }, { tools }, { runs }] = await Promise.all([
      client.get("ai/summary", asked, signal),
      client.get("ai/cost-timeseries", bucketsOfSpan(reading), signal),
      client.get("ai/agents", asked, signal),
      client.get("ai/models", asked, signal),
      client.get("ai/tools", asked, signal),
      client.get("ai/runs", { ...asked, status: this.#runs.status }, signal),
    ]);
    this.#tiles.show(summary);
    this.#costs.show(costs);
    this.#agents.show(agents);
    this.#models.show(models);
    this.#tools.show(tools);
    this.#runs.show(runs);
  }
}
