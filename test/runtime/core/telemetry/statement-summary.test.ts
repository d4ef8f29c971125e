import { expect, test } from "vitest";
import { statementSummary } from "#runtime/core/telemetry/statement-summary";

// biome-ignore format: one case a line
test.each([
  ['select * from "books" as t', "SELECT books"],
  ["select 1", "SELECT"],
  ['  SELECT id\nFROM "my schema"."my books" t', "SELECT my schema.my books"],
  ["select id from kirak_jobs.jobs for update skip locked", "SELECT kirak_jobs.jobs"],
  ["insert into a (x) values ($1) on conflict (x) do update set x = excluded.x", "INSERT a"],
  ["insert into a select from b", "INSERT a"],
  ['update "a" set x = (select max(x) from b)', "UPDATE a"],
  ["delete from a where id in (select id from b)", "DELETE a"],
  ["with next as (select id from a for no key update skip locked) update b set x = 1 from next", "UPDATE b"],
  ["with p as (select from parents for update)\ninsert into c select from p", "INSERT c"],
  ["with gone as (delete from a returning id) select count(*) from gone", "DELETE a"],
  ["with a as (select from b) select from a", "SELECT b"],
  ["lock table a in share mode", "LOCK"],
  ["", ""],
])("%s is %s", (text, expected) => {
  const { operation, table } = statementSummary(text);
  expect([operation, table].filter((part) => part !== undefined).join(" ")).toBe(expected);
});
