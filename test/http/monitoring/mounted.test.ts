import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { eventually } from "../../support/eventually.ts";
import { ingestionKey, monitoredService } from "../../support/monitoring.ts";
import { requestOf } from "../../support/recorded.ts";

interface Route {
  readonly method: string;
  readonly route: string;
  readonly requests: number;
}

/** A service for each tenant, as it were: what callers send there is theirs to choose. */
const service = await monitoredService(
  { sampleRate: 0 },
  { servicePrefix: "/api", rateLimit: { enabled: false } },
  { mountedAt: "/:tenant" },
);

const at = (tenant: string, line: string) => requestOf(line.replace(" ", ` /${tenant}`));

const ask = (line: string, body?: Json) => {
  const headers = { authorization: `Bearer ${ingestionKey}` };
  return service.send({ ...at("any", line), headers, body });
};

const lines = [
  "GET /api/notes/fetch?limit=1",
  "POST /auth/login",
  "POST /api/graphql",
  "GET /nowhere",
  "DELETE /admin/rate-limits/x",
];
const patterns = [
  "DELETE /admin/rate-limits/{key}",
  "GET /api/notes/fetch",
  "GET unmatched",
  "POST /api/graphql",
  "POST /auth/login",
];

test("where an application mounts the service below a parameter, URLs of 40 tenants are as many patterns as those of one", async () => {
  const tenants = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? `t${index}` : `T-${index}`));
  for (let from = 0; from < tenants.length; from += 10) {
    const some = tenants.slice(from, from + 10);
    await Promise.all(some.flatMap((tenant) => lines.map((line) => service.send(at(tenant, line)))));
  }
  const routes = await eventually(async () => {
    const found: Route[] = JSON.parse((await ask("GET /monitoring/requests")).text).data.routes;
    expect(found.reduce((sum, { requests }) => sum + requests, 0)).toBe(tenants.length * lines.length);
    return found.map(({ method, route }) => `${method} ${route}`).sort();
  });
  expect(routes).toEqual(patterns);
  const { text } = await ask("GET /monitoring/metrics");
  const series = new Set(
    [...text.matchAll(/method="([^"]+)",route="([^"]+)"/g)].map(([, method, route]) => `${method} ${route}`),
  );
  expect([...series].sort()).toEqual(patterns);
});

test("checks name the same patterns", async () => {
  const check = {
    id: "1",
    metric: "4xx_rate",
    op: "gt",
    value: 0.5,
    window_seconds: 600,
    routes: ["/auth/login"],
  };
  const { envelope } = await ask("POST /monitoring/alerts/evaluate", { checks: [check] });
  expect(envelope.data).toMatchObject({ results: [{ id: "1", breaching: true, sample_count: 40 }] });
});
