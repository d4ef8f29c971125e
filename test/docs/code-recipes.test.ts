import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Service } from "#runtime/index";
import { startTestService } from "#runtime/testing/index";
import { project, repository } from "../generator/support/project.ts";
import { afterFile } from "../support/after-file.ts";

// The recipes for code in docs/, as one app: models of JSON blocks, files of blocks that begin with a path.
const recipes = ["hooks", "jobs", "routes"].map((page) => {
  const text = readFileSync(join(repository, "docs", `${page}.md`), "utf8");
  return text.split(/^## /m).find((section) => section.startsWith("Recipes\n")) ?? "";
});
const blocks = [...recipes.join("").matchAll(/^```(json|ts)\n([\s\S]*?)^```$/gm)];
const models = blocks.flatMap(([, kind, text = ""]) => (kind === "json" ? [JSON.parse(text)] : []));
const { root, write, generate } = project(Object.assign({}, ...models));
const files = blocks.flatMap(([, , text = ""]) => {
  const path = /^\/\/ (models\/\S+)\n/.exec(text)?.[1];
  return path === undefined ? [] : [[path, text] as const];
});
for (const [path, text] of files) write(path, text);
const made = await generate({ compile: true });
expect([made.diagnostics, made.problems]).toEqual([[], []]);
const secret = "a secret of the payment provider";
process.env["PAYMENTS_SECRET"] = secret;
const { service }: { service: Service } = await import(join(root, "generated/index.ts"));
delete process.env["PAYMENTS_SECRET"];
const app = await startTestService(service, { root });
afterFile(() => app.stop());
const { query } = app.database;

const create = (path: string, data: object) =>
  app.request(`${path}/create`, { method: "POST", as: "staff", body: { data } });
const invoice = (tenant_id: number, due_on = "2026-01-31") => create("/invoices", { tenant_id, due_on });

test("all of them stand there", () => {
  expect(files.map(([path]) => path)).toEqual([
    "models/hooks/invoices.ts",
    "models/jobs/remind-of-invoices.ts",
    "models/routes/payment-events.ts",
  ]);
});

test("a number for each tenant, without gaps, also at the same time", async () => {
  for (const name of ["A", "B"]) await create("/tenants", { name });
  const replies = await Promise.all([1, 2, 1, 1, 2].map((tenant) => invoice(tenant)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await invoice(1, "no date")).status).toBe(400);
  expect((await invoice(3)).body).toMatchObject({ error: "NOT_FOUND" });
  const numbers = await query("select tenant_id, number from invoices order by 1, 2");
  // biome-ignore format: many a line
  expect(numbers.map(({ tenant_id, number }) => `${tenant_id}:${number}`)).toEqual([
    "1:1", "1:2", "1:3", "2:1", "2:2",
  ]);
});

test("more rows than a query gives", async () => {
  await query("truncate invoices");
  await query(
    "insert into invoices (tenant_id, number, due_on) select 1, n, '2026-01-01' from generate_series(1, 250) n",
  );
  await query("update invoices set paid_with = 'x' where number = 7");
  await Reflect.apply(app.jobs.enqueue, app.jobs, ["remind-of-invoices", {}]);
  await app.runJobs();
  expect(await query("select count(reminded_at)::int as reminded from invoices")).toEqual([
    { reminded: 249 },
  ]);
});

test("a webhook that arrives twice, with a form", async () => {
  const [{ id } = { id: 0 }] = await query("select id from invoices where number = 8");
  const send = (body: string, key = secret) =>
    fetch(`${app.url}/payment-events`, {
      method: "POST",
      headers: { "x-signature": createHmac("sha256", key).update(body).digest("hex") },
      body: new URLSearchParams(body),
    }).then(async (reply) => (reply.ok ? reply.text() : reply.status));
  const events = async () =>
    (await query("select event_id from payment_events")).map(({ event_id }) => event_id);
  expect(await send(`event=e0&invoice=${id}`, "another")).toBe(403);
  expect(await send("event=e1&invoice=0")).toBe(404);
  expect(await events()).toEqual([]);
  expect(await send(`event=e1&invoice=${id}`)).toBe("ok");
  expect(await send(`event=e1&invoice=${id}`)).toBe("ok");
  expect(await events()).toEqual(["e1"]);
  expect(await query("select paid_with from invoices where number = 8")).toEqual([{ paid_with: "e1" }]);
});
