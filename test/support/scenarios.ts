import type { OutgoingHttpHeaders } from "node:http";
import { afterEach, expect, test } from "vitest";
import { type Fired, type StagedHooks, stage } from "../http/fixture/stage.ts";
import { type Reply, requestOf, type Sent } from "./request.ts";
import type { Rows, TestService } from "./service.ts";
import type { Caller } from "./service-token.ts";

/** One request, and what it must answer and leave behind. */
export interface Scenario {
  readonly name?: string;
  /** What the tables hold before; all others are empty. */
  readonly given?: Rows;
  /** Method and path: `GET /tasks/fetch?user=1`. */
  readonly send: string;
  readonly as?: Caller;
  readonly body?: Sent["body"];
  readonly headers?: OutgoingHttpHeaders;
  /** `<status> <error>` and, where the answer names one, `details.field`. Without it success is expected. */
  readonly fails?: string;
  /** `details` of a failure, in part. */
  readonly details?: object;
  /** The whole of `data`. It can contain matchers such as `expect.any(Number)`. */
  readonly data?: unknown;
  readonly pagination?: object;
  /** What tables hold after: rows in the order of their ids, each in part. */
  readonly rows?: Rows;
  /** What hooks do. */
  readonly plays?: StagedHooks;
  /** The hooks that fired, in order. */
  readonly hooks?: readonly (keyof StagedHooks)[];
}

/** Declares a test for each scenario. Each has the database for itself. */
export function scenarios(service: TestService, list: readonly Scenario[]): void {
  afterEach(() => {
    Object.assign(stage, { hooks: {}, fired: [] });
  });
  test.each(list.map((scenario) => [titleOf(scenario), scenario] as const))("%s", async (_, scenario) => {
    await perform(service, scenario);
  });
}

function titleOf({ name, send, body }: Scenario): string {
  // Vitest formats titles with printf, to which a percent sign is special.
  return (name ?? `${send} ${body === undefined ? "" : JSON.stringify(body)}`)
    .replaceAll("%", "%%")
    .slice(0, 120);
}

/** Runs a scenario and checks all that it says, and the envelope. */
export async function perform(service: TestService, scenario: Scenario): Promise<Reply> {
  await service.store(scenario.given ?? {});
  Object.assign(stage, { hooks: scenario.plays ?? {}, fired: [] });
  const { send, body, headers, as } = scenario;
  const reply = await service.send({ ...requestOf(send, body), headers }, as);
  expectEnvelope(reply);
  expect(outcome(reply), reply.text).toEqual(scenario.fails ?? "200");
  const { envelope } = reply;
  if (scenario.details !== undefined) expect(envelope.details).toMatchObject(scenario.details);
  if (scenario.data !== undefined) expect(envelope.data).toEqual(scenario.data);
  if (scenario.fails === undefined) expect(envelope.pagination).toEqual(scenario.pagination);
  if (scenario.hooks !== undefined) expect(firedHooks()).toEqual(scenario.hooks);
  for (const [table, rows] of Object.entries(scenario.rows ?? {})) await expectRows(service, table, rows);
  return reply;
}

export const firedHooks = (): Fired["hook"][] => stage.fired.map(({ hook }) => hook);

/** `200`, or status, error and field of a failure. */
export function outcome({ status, envelope }: Reply): string {
  const { error, details } = envelope;
  return [status, error, details?.["field"]].filter((part) => part !== undefined).join(" ");
}

/** A record of a bulk that failed. */
export const failed = (index: number, error: string, field?: string) => ({
  index,
  error,
  message: expect.any(String),
  ...(field !== undefined && { field }),
});

/** The rows of a table by id, as JSON, each in part. */
export async function expectRows(service: TestService, table: string, rows: Rows[string]): Promise<void> {
  const found = await service.query(`SELECT to_jsonb(t) AS row FROM "${table}" AS t ORDER BY id`);
  expect(found.map(({ row }) => row)).toEqual(rows.map((row) => expect.objectContaining(row)));
}

/** The envelope with these keys and no others, a code of the table, and nothing of SQL in its message. */
export function expectEnvelope(reply: Reply, context: unknown = ""): void {
  expectKeys(reply, context);
  expect(reply.status === 200 ? "" : reply.envelope.message).not.toMatch(
    /select |insert |_key|_fkey|_pkey|constraint|relation "|\.ts:|at \w+ \(/i,
  );
}

/** The same, for requests that hold words of SQL themselves. */
export function expectKeys({ status, headers, text, envelope }: Reply, context: unknown = ""): void {
  const told = `${status} ${text.slice(0, 400)} for ${JSON.stringify(context)}`.slice(0, 2000);
  const { statusCode, details } = envelope;
  const isSuccess = status === 200;
  expect(statusCode, told).toBe(status);
  expect(headers["content-type"], told).toBe("application/json; charset=utf-8");
  expect(headers["x-request-id"], told).toMatch(/^[A-Za-z0-9_.:-]{1,128}$/);
  expect(
    Object.keys(envelope).filter((key) => key !== (isSuccess ? "pagination" : "details")),
    told,
  ).toEqual(
    isSuccess
      ? ["statusCode", "status", "message", "data"]
      : ["statusCode", "status", "error", "message", "data"],
  );
  expect(envelope, told).toMatchObject({
    status: isSuccess ? "success" : "error",
    message: expect.stringMatching(/./),
  });
  if (isSuccess) return;
  expect(envelope.data, told).toBeNull();
  expect(envelope.error, told).toMatch(/^[A-Z][A-Z_]*$/);
  if (details === undefined) return;
  expect(details, told).toBeTypeOf("object");
  if ("field" in details) expect(details["field"], told).toBeTypeOf("string");
  const one = { field: expect.any(String), message: expect.any(String) };
  if ("errors" in details)
    expect(details["errors"], told).toEqual(expect.arrayContaining([expect.objectContaining(one)]));
}
