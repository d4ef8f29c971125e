import type { OpenMetricsContentType } from "prom-client";
import { processMetrics } from "./process-metrics.ts";
import { loadClient } from "./prometheus-client.ts";
import { requestsText } from "./requests-text.ts";
import { addServiceMetrics, type Measured } from "./service-metrics.ts";

const end = "# EOF\n";

/** Gives what a scrape answers: OpenMetrics 1.0 text (decisions, part 11). What that takes is loaded meanwhile. */
export function metricsText(measured: Measured): () => Promise<string> {
  const registries = Promise.all([ofService(measured), processMetrics()]);
  // Who scrapes is told of it.
  registries.catch(() => {});
  return async () => {
    const texts = await Promise.all((await registries).map((registry) => registry.metrics()));
    const others = texts.map((text) => canonical(text.slice(0, -end.length)));
    return [await requestsText(measured.requests), ...others, end].join("");
  };
}

async function ofService(measured: Measured) {
  const client = await loadClient();
  const { Registry } = client;
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  addServiceMetrics(registry, client, measured);
  return registry;
}

/** Edges of histograms are floats, which a strict reader wants to see: prom-client leaves the fraction of whole numbers away. */
function canonical(text: string): string {
  return text.replace(/([{,]le="\d+)"/g, '$1.0"');
}
