import { expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { proxyTo } from "../../support/proxy.ts";
import { runnable, testQueue } from "../../support/queue.ts";

const queue = await testQueue();

const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
const connected =
  "select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'kirak jobs'";

it("a worker stops where the database is silent, and leaves no connection that keeps its process from ending", async () => {
  const proxy = await proxyTo(queue.url);
  const worker = queue.work([runnable("none")], { url: proxy.url });
  await eventually(async () => expect(await queue.query("select from kirak_jobs.workers")).toHaveLength(1));
  const [{ n } = {}] = await queue.query(connected);
  proxy.freeze();
  const before = sockets();
  const stopped = performance.now();
  await worker.stop(0);
  expect(performance.now() - stopped).toBeLessThan(15_000);
  // Those of the proxy stay.
  await eventually(() => expect(sockets()).toBeLessThanOrEqual(before - Number(n)));
});
