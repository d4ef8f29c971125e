import type { StoreHealth } from "../../../records/reads.ts";
import { element, setAttribute, setText } from "../dom.ts";
import { bytesText, countText, nothing, percentText } from "../text/number-texts.ts";
import { momentText, spanText } from "../text/time-texts.ts";
import { StatTiles } from "../widgets/stat-tiles.ts";
import { failureTone } from "../widgets/tone.ts";

/** Something that has a limit. */
interface Gauge {
  readonly meter: HTMLMeterElement;
  readonly text: HTMLElement;
}

/** The store, its queues and the process. */
export class StoreState {
  readonly #tiles: StatTiles;
  readonly #gauges: HTMLElement;
  readonly #byName = new Map<string, Gauge>();

  constructor(host: HTMLElement) {
    this.#tiles = new StatTiles(host);
    this.#gauges = element("div", { class: "gauges panel" });
    host.append(this.#gauges);
  }

  show(health: StoreHealth): void {
    const { queues, db_size_bytes: size, max_db_size_mb: cap } = health;
    const isUp = health.store === "ok";
    const dropped = queues.records.dropped + queues.logs.dropped;
    this.#tiles.show([
      { title: "Store", value: isUp ? "ok" : "unreachable", tone: isUp ? "good" : "bad" },
      {
        title: "Dropped",
        value: countText(dropped),
        tone: failureTone(dropped),
        note: "records and log lines since the start",
      },
      {
        title: "Uptime",
        value: spanText(health.uptime_seconds),
        note: `since ${momentText(health.started_at, new Date())}`,
      },
      { title: "Version", value: health.version ?? nothing, note: `Node.js ${health.node_version}` },
    ]);
    const capBytes = cap * 1_048_576;
    this.#gauge(
      "Size of the file",
      size,
      capBytes,
      size === null
        ? nothing
        : `${bytesText(size)} of ${bytesText(capBytes)}, ${percentText(size / capBytes)}`,
    );
    this.#queue("Records that wait", queues.records);
    this.#queue("Log lines that wait", queues.logs);
  }

  #queue(title: string, { depth, max, dropped }: StoreHealth["queues"]["records"]): void {
    this.#gauge(title, depth, max, `${countText(depth)} of ${countText(max)}, ${countText(dropped)} dropped`);
  }

  #gauge(title: string, value: number | null, max: number, text: string): void {
    const gauge = this.#byName.get(title) ?? this.#add(title);
    setAttribute(gauge.meter, "max", String(max));
    setAttribute(gauge.meter, "high", String(max * 0.9));
    setAttribute(gauge.meter, "value", String(value ?? 0));
    setText(gauge.text, text);
  }

  #add(title: string): Gauge {
    const id = `gauge-${this.#byName.size}`;
    const gauge = {
      meter: element("meter", { id, min: "0", optimum: "0" }),
      text: element("span", { class: "took" }),
    };
    this.#gauges.append(element("div", {}, element("label", { for: id }, title), gauge.meter, gauge.text));
    this.#byName.set(title, gauge);
    return gauge;
  }
}
