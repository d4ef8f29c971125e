import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  AiRunRecord,
  MonitoringRecord,
  RequestRecord,
  StepRecords,
} from "#runtime/monitoring/records/monitoring-records";
import { packed, RecordPacker } from "#runtime/monitoring/records/record-packer";
import { unpacked } from "#runtime/monitoring/records/record-reader";
import { requestRecord } from "../../../support/monitoring-store.ts";

/** Any code units: line breaks, NUL, half a character. */
const wildText = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom("", "\0", "\n", "\ud800", "\udc00\ud800", "a\0\nb", "__proto__", "😀".repeat(20_000)),
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -1, 2 ** 53, 5e-324, Number.POSITIVE_INFINITY),
);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

const steps: fc.Arbitrary<StepRecords> = fc
  .array(fc.tuple(wildText, number, number), { maxLength: 20 })
  .map((list) => ({
    names: list.map(([name]) => name),
    times: list.flatMap(([, at, duration]) => [at, duration]),
  }));

const request: fc.Arbitrary<RequestRecord> = fc.record({
  kind: fc.constant("request"),
  requestId: wildText,
  at: number,
  method: wildText,
  route: wildText,
  model: maybe(wildText),
  operation: maybe(wildText),
  status: number,
  durationMs: number,
  bytes: number,
  userId: maybe(wildText),
  role: maybe(wildText),
  errorCode: maybe(wildText),
  steps: maybe(steps),
  failure: maybe(fc.record({ message: wildText, stack: maybe(wildText) })),
});

const run: fc.Arbitrary<AiRunRecord> = fc
  .record({ runId: wildText, agent: wildText, userId: maybe(wildText), costUsd: finite, tool: wildText })
  .map(({ tool, ...own }) => ({
    kind: "ai_run",
    at: 1,
    model: "small",
    provider: "example",
    status: "completed",
    inputTokens: 1,
    outputTokens: 2,
    durationMs: 3.5,
    turns: 1,
    errorCode: null,
    conversationId: null,
    toolCalls: [{ tool, durationMs: 1, status: "failed", errorMessage: tool }],
    ...own,
  }));

test("what is unpacked is what was packed, on the other side of a copy", () => {
  const records = fc.array(fc.oneof<fc.Arbitrary<MonitoringRecord>[]>(request, run), { maxLength: 30 });
  fc.assert(
    fc.property(records, (sent) => {
      expect(unpacked(structuredClone(packed(sent)))).toEqual(sent);
    }),
  );
});

test("one packer packs one batch after the other, and none knows of those before", () => {
  const batch = fc.array(request, { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 5 }), (batches) => {
      const packer = new RecordPacker();
      const taken = batches.map((records) => {
        for (const record of records) packer.add(record);
        return packer.take();
      });
      expect(taken.map(unpacked)).toEqual(batches);
      expect([packer.count, packer.bytes]).toEqual([0, 0]);
    }),
  );
});

test("a batch beyond measure leaves nothing behind in the next", () => {
  const packer = new RecordPacker();
  const times = Array.from({ length: 600_000 }, (_, index) => index / 8);
  const long = requestRecord({
    userId: "u".repeat(600_000),
    steps: { names: Array.from({ length: 300_000 }, () => "sql"), times },
  });
  for (const record of [long, requestRecord()]) packer.add(record);
  expect(unpacked(packer.take())).toEqual([{ ...long }, expect.objectContaining({ requestId: "request-1" })]);
  const short = requestRecord({ steps: { names: ["auth"], times: [0.5, 1] } });
  packer.add(short);
  expect(unpacked(packer.take())).toEqual([short]);
});
