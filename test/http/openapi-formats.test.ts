import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { expectDescribed, takenBy } from "../support/openapi.ts";
import { requestOf } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();
const file = new URL("fixture/generated/openapi.json", import.meta.url);
const expectTaken = takenBy(JSON.parse(readFileSync(file, "utf8")));

/** Values that differ from the formats of JSON Schema. */
// biome-ignore format: one field a line
const values: Readonly<Record<string, readonly Json[]>> = {
  email: ["jürgen@example.com", "user@exämple.com", '"a b"@example.com', "用户@例子.广告"],
  datetime: ["2026-01-31", "2026-01-31T10:00", "2026-01-31T10:00:00", "2026-01-31T10:00Z", "2026-01-31T10:00:00+0200", "2026-01-31T10:00:00.123456-05"],
  date: ["0001-01-01", "9999-12-31"],
  uuid: ["0A000000-0000-4000-8000-00000000000A", "00000000-0000-0000-0000-000000000000"],
  integer: [-(2 ** 31), 2 ** 31 - 1],
  password: ["x", "é".repeat(36)],
};

/** The same of the model `samples`. */
// biome-ignore format: one field a line
const samples: Readonly<Record<string, readonly Json[]>> = {
  time: ["12:30", "12:30:15", "23:59:59.999"],
  decimal: ["1", 1, 1.5, "-0.10"],
  bigint: ["9223372036854775807", 5, "-1"],
  rate: ["0.07", 0.07],
  level: ["9007199254740993", 1],
  grades: [["1.5", 2]],
  emails: [["jürgen@example.com"]],
  datetimes: [["2026-01-31"]],
  times: [["12:30"]],
};

const cases = [
  ...Object.entries(values).flatMap(([field, list]) =>
    list.map((value) => ["things", field, value] as const),
  ),
  ...Object.entries(samples).flatMap(([field, list]) =>
    list.map((value) => ["samples", field, value] as const),
  ),
];

test.each(cases)("%s.%s: the document allows %j, and the answer", async (model, field, value) => {
  const path = `/${model}/create`;
  const sent = {
    ...requestOf(`POST ${path}`, JSON.stringify({ data: { [field]: value } })),
    headers: { "content-type": "application/json" },
  };
  const reply = await service.send(sent, "admin");
  expect(outcome(reply), reply.text).toBe("200");
  expectTaken("POST", path, sent, reply);
  expectDescribed("POST", path, reply);
});
