// @ts-check
import { failureTone, html, tile } from "./html.js";
import { bytesText, countText, momentText, nothing, percentText, spanText } from "./texts.js";

/** @import { StoreHealth } from "../../records/reads.ts" */

/** The store, its queues and the process. @param {StoreHealth} health */
export function storeView({ store, queues, db_size_bytes: size, max_db_size_mb: maxMb, ...health }) {
  const isUp = store === "ok";
  const dropped = queues.records.dropped + queues.logs.dropped;
  const max = maxMb * 1_048_576;
  const sizeText =
    size === null ? nothing : `${bytesText(size)} of ${bytesText(max)}, ${percentText(size / max)}`;
  return html`
    <div id="store" class="view">
      <dl class="tiles">
        ${tile("Store", isUp ? "ok" : "unreachable", "", { tone: isUp ? "good" : "bad" })}
        ${tile("Dropped", countText(dropped), "records and log lines since the start", { tone: failureTone(dropped) })}
        ${tile("Uptime", spanText(health.uptime_seconds), `since ${momentText(health.started_at)}`)}
        ${tile("Version", health.version ?? nothing, `Node.js ${health.node_version}`)}
      </dl>
      <div class="gauges panel">
        ${gauge("gauge-size", "Size of the file", size ?? 0, max, sizeText)}
        ${queueGauge("gauge-records", "Records that wait", queues.records)}
        ${queueGauge("gauge-logs", "Log lines that wait", queues.logs)}
      </div>
    </div>`;
}

/**
 * @param {string} id
 * @param {string} title
 * @param {StoreHealth["queues"]["records"]} queue
 */
const queueGauge = (id, title, { depth, max, dropped }) =>
  gauge(id, title, depth, max, `${countText(depth)} of ${countText(max)}, ${countText(dropped)} dropped`);

/**
 * @param {string} id
 * @param {string} title
 * @param {number} value
 * @param {number} max
 * @param {string} text
 */
const gauge = (id, title, value, max, text) => html`
  <div>
    <label for=${id}>${title}</label>
    <meter id=${id} min="0" max=${max} high=${max * 0.9} optimum="0" value=${value}></meter>
    <span>${text}</span>
  </div>`;
