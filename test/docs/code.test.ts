import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Service } from "#runtime/index";
import { startTestService } from "#runtime/testing/index";
import { project } from "../generator/support/project.ts";
import { afterFile } from "../support/after-file.ts";

// The app of docs/code.md, file by file as it stands there, generated, compiled and served.
const docs = readFileSync(join(import.meta.dirname, "..", "..", "docs", "code.md"), "utf8");

/** Fences with their texts, and the paragraph before each. */
const fences = [...docs.matchAll(/(?:^|\n\n)([^\n](?:[^\n]|\n(?!\n))*)\n\n```\w*\n([\s\S]*?)```/g)].map(
  ([, before = "", text = ""]) => ({ before, text }),
);

/** Files of `models/`: of code the first line names them, of all else the paragraph before it. Code that stands later is added, all else is new. */
const files = new Map<string, string>();
for (const { before, text } of fences) {
  const path = /^\/\/ (models\/\S+)\n/.exec(text)?.[1] ?? /^`(models\/[^`]+)`/.exec(before)?.[1];
  if (path !== undefined) files.set(path, path.endsWith(".ts") ? (files.get(path) ?? "") + text : text);
}

const { root, write, generate } = project({}, { name: "workshop" });
for (const [path, text] of files) write(path, text);
const made = await generate({ compile: true });
expect([made.diagnostics, made.problems]).toEqual([[], []]);
const secret = "a secret of the payment provider";
process.env["PAYMENTS_SECRET"] = secret;
const { service }: { service: Service } = await import(join(root, "generated/index.ts"));
delete process.env["PAYMENTS_SECRET"];
const app = await startTestService(service, { root, settings: { email: { provider: "log" } } });
afterFile(() => app.stop());
const { query } = app.database;
const ask = async (method: string, path: string, body: object | string, headers = {}) => {
  const as = path === "/payments" ? null : "staff";
  const answer = await app.request(path, { method, body, as, headers });
  return answer.status === 200 ? answer.body.data : `${answer.status} ${answer.body.error}`;
};

const create = (data: object) => ask("POST", "/repairs/create", { data: { bike: "Roadster", ...data } });

test("all files of the app stand there", () => {
  // biome-ignore format: many a line
  expect([...files.keys()]).toEqual([
    "models/models.json", "models/hooks/repairs.ts", "models/errors.json", "models/mails/assigned.txt", "models/jobs/remind.ts",
    "models/migrations/0002_index_unpaid.ts", "models/routes/payments.ts",
  ]);
});

test("fill a field", async () => {
  expect(await create({})).toMatchObject({ bike: "Roadster", number: expect.stringMatching(/^R-\d+$/) });
  expect(await create({ number: "R-1" })).toBe("403 PERMISSION_DENIED");
  expect(await query("select number from repairs")).toHaveLength(1);
});

test("look at the rows, and refuse", async () => {
  const change = (bike: string) =>
    ask("PUT", "/repairs/update", { where: { bike }, data: { bike: "Tandem" } });
  await create({ bike: "Racer" });
  expect(await change("Racer")).toMatchObject({ updated_count: 1 });
  await query("update repairs set paid_at = now() where bike = 'Tandem'");
  expect(await change("Tandem")).toBe("409 ALREADY_PAID");
});

test("mail the assignee", async () => {
  await query("insert into users (id, email) values (7, 'mechanic@example.com')");
  const repair = await create({ bike: "Penny-farthing", mechanic_id: 7 });
  const { number }: { number?: unknown } = Object(repair);
  await app.runJobs();
  expect(app.mails).toMatchObject([
    {
      to: "mechanic@example.com",
      subject: `Repair ${number} is yours`,
      text: expect.stringContaining("Penny-farthing waits for you."),
    },
  ]);
});

test("every morning", async () => {
  await query("update repairs set created_at = now() - interval '8 days' where bike = 'Penny-farthing'");
  await Reflect.apply(app.jobs.enqueue, app.jobs, ["remind", {}]);
  await app.runJobs();
  expect(app.mails.slice(1)).toMatchObject([{ text: expect.stringContaining("1 wait for their money.") }]);
});

test("SQL of your own", async () => {
  const [index] = await query("select indexdef from pg_indexes where indexname = 'repairs_unpaid_idx'");
  expect(index).toEqual({ indexdef: expect.stringContaining("WHERE (paid_at IS NULL)") });
});

test("a webhook", async () => {
  await create({ bike: "Recumbent" });
  const [{ number } = { number: "" }] = await query("select number from repairs where bike = 'Recumbent'");
  const pay = (body: string, key = secret) => {
    const signature = createHmac("sha256", key).update(body).digest("hex");
    return ask("POST", "/payments", body, { "content-type": "application/json", "x-signature": signature });
  };
  const body = JSON.stringify({ number, amount: "12.50" });
  expect(await pay(body, "another key")).toBe("400 BAD_SIGNATURE");
  expect(await pay(body)).toEqual({ number });
  expect(await pay(body)).toBe("409 ALREADY_PAID");
  expect(await pay(JSON.stringify({ number: "R-none" }))).toBe("404 NOT_FOUND");
  expect(await pay("no JSON")).toBe("400 VALIDATION_ERROR");
  expect(await query("select bike from repairs where paid_at is not null and number = $1", [number])).toEqual(
    [{ bike: "Recumbent" }],
  );
});
