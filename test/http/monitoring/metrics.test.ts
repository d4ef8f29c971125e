import { readFileSync } from "node:fs";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createDatabase } from "#runtime/core/database/index";
import { prepareQueue } from "#runtime/modules/jobs/index";
import { eventually } from "../../support/eventually.ts";
import { limited } from "../../support/limited-service.ts";
import { monitoredService } from "../../support/monitoring.ts";
import { type MetricFamily, readOpenMetrics, sampleValue } from "../../support/open-metrics.ts";
import { proxyTo } from "../../support/proxy.ts";
import { silent } from "../../support/silent-log.ts";

const service = await monitoredService(
  {},
  { cors: { origins: ["https://app.example.org"], allowOriginRegex: null } },
);
await prepareQueue(service.url, silent);

async function scrape(): Promise<MetricFamily[]> {
  const { status, headers, text } = await service.ask("GET /metrics");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  return readOpenMetrics(text);
}

/** What is found twice in a row: what was still under way is over. */
async function settled(find: () => Promise<number>): Promise<number> {
  let last = await find();
  return eventually(async () => {
    const [before, now] = [last, await find()];
    last = now;
    expect(now).toBe(before);
    return now;
  });
}

const total = (families: readonly MetricFamily[], labels: Readonly<Record<string, string>>) =>
  sampleValue(families, "kirak_http_requests_total", labels) ?? 0;
const durations = (families: readonly MetricFamily[], labels: Readonly<Record<string, string>>) =>
  sampleValue(families, "kirak_http_request_duration_seconds_count", labels) ?? 0;

describe("a scrape", () => {
  test("has what was asked since the last one, by method, pattern and status", async () => {
    const before = await scrape();
    const send = (method: string, path: string) => service.send({ method, path });
    for (let times = 0; times < 3; times++) await send("GET", "/notes/fetch?limit=1");
    await send("GET", "/notes/fetch?limit=x");
    await send("HEAD", "/notes/fetch");
    await send("PROPFIND", "/notes/fetch");
    await send("GET", "/notes/nothing/here");
    const route = "/notes/fetch";
    // A request is over a moment after its caller has the answer.
    await eventually(async () => {
      const after = await scrape();
      const grown = (labels: Readonly<Record<string, string>>) =>
        total(after, labels) - total(before, labels);
      const get = { method: "GET", route };
      expect({
        ok: grown({ ...get, status: "200" }),
        malformed: grown({ ...get, status: "400" }) + grown({ ...get, status: "422" }),
        head: grown({ method: "HEAD", route, status: "200" }),
        other: grown({ method: "OTHER", route, status: "405" }),
        unmatched: grown({ method: "GET", route: "unmatched", status: "404" }),
        durations: durations(after, get) - durations(before, get),
      }).toEqual({ ok: 3, malformed: 1, head: 1, other: 1, unmatched: 1, durations: 4 });
    });
  });

  test("does not count itself, the health of the process, or preflights, and is nothing in flight", async () => {
    const preflight = { origin: "https://app.example.org", "access-control-request-method": "POST" };
    const all = async () =>
      (await scrape()).flatMap(({ name, samples }) => (name === "kirak_http_requests" ? samples : []));
    const before = await all();
    await service.send({ method: "GET", path: "/healthz" });
    await service.send({ method: "GET", path: "/monitoring/ping" });
    await service.ask("GET /health");
    await service.send({ method: "GET", path: "/monitoring/metrics" });
    await service.send({ method: "OPTIONS", path: "/notes/fetch", headers: preflight });
    await eventually(async () => {
      expect(sampleValue(await scrape(), "kirak_http_requests_in_flight")).toBe(0);
    });
    expect(await all()).toEqual(before);
  });

  test("has the connections to the database and what waits in the queues", async () => {
    await service.send({ method: "GET", path: "/notes/fetch" });
    const families = await scrape();
    const connections = (state: string) => sampleValue(families, "kirak_database_connections", { state });
    expect((connections("idle") ?? 0) + (connections("used") ?? 0)).toBeGreaterThan(0);
    expect(connections("waiting")).toBe(0);
    for (const queue of ["records", "logs", "shipping"])
      expect(sampleValue(families, "kirak_monitoring_dropped_total", { queue })).toBe(0);
    expect(sampleValue(families, "kirak_rate_limit_uncounted_total")).toBe(0);
  });

  test("has the requests that no limit was asked about, since the store of the counters was down", async () => {
    const way = await proxyTo("postgres://unknown@127.0.0.1:5432/nothing");
    way.cut();
    const counting = createDatabase({ url: way.url, log: pino({ enabled: false }) });
    const limitless = await monitoredService({}, limited({}), { counting });
    for (let times = 0; times < 3; times++)
      expect((await limitless.send({ method: "GET", path: "/notes/fetch?limit=1" })).status).toBe(200);
    const { text } = await limitless.ask("GET /metrics");
    expect(sampleValue(readOpenMetrics(text), "kirak_rate_limit_uncounted_total")).toBe(3);
    await counting.close();
  });

  test("a thousand unknown URLs and methods add no series", async () => {
    const series = (families: readonly MetricFamily[]) =>
      families.flatMap(({ name, samples }) => (name.startsWith("kirak_http") ? samples : [])).length;
    const ask = (index: number) =>
      Promise.all([
        service.send({ method: "GET", path: `/x${index}/${index}?q=${index}` }),
        service.send({ method: "GET", path: `/notes/get?id=${index}` }),
        service.send({ method: "GET", path: `/auth/p${index}/login` }),
        service.send({ method: "PURGE", path: `/notes/${index}` }),
      ]);
    await ask(0);
    const before = await settled(async () => series(await scrape()));
    for (let index = 1; index <= 250; index++) await ask(index);
    expect(series(await scrape())).toBe(before);
  });
});

describe("docs/monitoring", () => {
  const file = (name: string) =>
    readFileSync(new URL(`../../../docs/monitoring/${name}`, import.meta.url), "utf8");
  interface Rule {
    readonly alert: string;
    readonly expr: string;
    readonly annotations: { readonly summary: string; readonly description: string };
  }
  const alerts: { groups: { name: string; rules: Rule[] }[] } = parse(file("alerts.yml"));
  const dashboard: {
    panels: { id: number; title: string; targets: { expr: string; legendFormat: string }[] }[];
    templating: { list: { query: string }[] };
  } = JSON.parse(file("grafana-dashboard.json"));
  const rules = alerts.groups.flatMap((group) => group.rules);
  const targets = dashboard.panels.flatMap((panel) => panel.targets);
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...targets.map(({ expr }) => expr),
    ...dashboard.templating.list.map(({ query }) => query).filter((query) => query !== "prometheus"),
  ];
  const named = /\b(?:kirak|process|nodejs)_\w+/g;

  test("every metric and label that an expression names is in a scrape", async () => {
    await service.send({ method: "GET", path: "/notes/fetch" });
    const samples = (await scrape()).flatMap((family) => family.samples);
    // Prometheus adds those of the target.
    const labelsOf = (name: string) =>
      new Set([
        "job",
        "instance",
        ...samples.filter((sample) => sample.name === name).flatMap(({ labels }) => Object.keys(labels)),
      ]);
    expect(expressions.length).toBeGreaterThan(25);
    for (const expression of expressions.filter((text) => !text.startsWith("up{"))) {
      const metrics = expression.match(named) ?? [];
      expect([expression, metrics.length > 0]).toEqual([expression, true]);
      for (const metric of metrics)
        expect([metric, samples.some(({ name }) => name === metric)]).toEqual([metric, true]);
      const matched = [...expression.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(
        ([, metric = "", matchers = ""]) =>
          [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => [metric, label] as const),
      );
      for (const [metric, label] of matched)
        expect([metric, label, labelsOf(metric).has(label)]).toEqual([metric, label, true]);
      const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) =>
        labels.split(/,\s*/),
      );
      for (const label of grouped)
        expect([expression, label, metrics.some((metric) => labelsOf(metric).has(label))]).toEqual([
          expression,
          label,
          true,
        ]);
    }
  });

  test("texts name labels that their expression leaves", () => {
    const kept = (expression: string) => {
      const groups = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) =>
        labels.split(/,\s*/),
      );
      return groups.length === 0 ? null : groups;
    };
    const texts = [
      ...targets.map(({ expr, legendFormat }) => [expr, legendFormat, /\{\{(\w+)\}\}/g] as const),
      ...rules.map(({ expr, annotations }) => [expr, annotations.summary, /\$labels\.(\w+)/g] as const),
    ];
    for (const [expression, text, form] of texts)
      for (const [, label = ""] of text.matchAll(form))
        expect([text, kept(expression)?.includes(label) ?? true]).toEqual([text, true]);
  });

  test("every metric of the service's own is on the dashboard", async () => {
    const names = (await scrape()).map(({ name }) => name).filter((name) => name.startsWith("kirak_"));
    const shown = targets.map(({ expr }) => expr).join("\n");
    for (const name of names) expect(shown).toContain(name);
  });

  test("panels and rules have names of their own, brackets are closed, and the scrape asks the right place", () => {
    const unique = (all: readonly unknown[]) => expect(new Set(all).size).toBe(all.length);
    unique(dashboard.panels.map(({ id }) => id));
    unique(dashboard.panels.map(({ title }) => title));
    unique(rules.map(({ alert }) => alert));
    for (const expression of expressions)
      for (const [open = "", close = ""] of ["()", "{}", "[]"].map((pair) => [...pair]))
        expect(expression.split(open)).toHaveLength(expression.split(close).length);
    const { scrape_configs: scrapes, rule_files: files } = parse(file("prometheus.yml"));
    expect(files).toEqual(["alerts.yml"]);
    expect(scrapes).toMatchObject([
      { job_name: "kirak", metrics_path: "/monitoring/metrics", authorization: { type: "Bearer" } },
    ]);
    for (const { expr } of rules) expect(expr).toContain('job="kirak"');
  });
});
