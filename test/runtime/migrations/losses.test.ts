import { expect, test } from "vitest";
import { lossesOf } from "#runtime/migrations/index";
import type { ColumnType } from "#vocabulary/migration-steps";

const retyped = (type: ColumnType, from?: ColumnType) =>
  lossesOf([{ step: "set_type", table: "t", column: "x", type, ...(from === undefined ? {} : { from }) }]);

test.each([
  ["integer", undefined, "t.x: what does not fit into integer"],
  ["text", "text[]", "t.x: all but the first element of each list, and what does not fit into text"],
  ["text[]", "text", "t.x: what does not fit into text[]"],
  ["jsonb", "text[]", "t.x: what does not fit into jsonb"],
] as const)("%s of %s", (type, from, loss) => {
  expect(retyped(type, from)).toEqual([loss]);
});
