import { visible } from "../emit/literal.ts";
import type { Remark } from "./remarks.ts";

/** Prints what the models cannot say: first what somebody must know, then the rest, by table. */
export function printRemarks(remarks: readonly Remark[]): string {
  const loud = remarks.filter(({ loud }) => loud === true);
  const quiet = remarks.filter(({ loud }) => loud !== true);
  return [...section("take care:", loud), ...section("in the database, and not in the models:", quiet)].join(
    "",
  );
}

function section(title: string, remarks: readonly Remark[]): string[] {
  const tables = [...new Set(remarks.map(({ table }) => table))];
  const lines = tables.flatMap((table) => [
    ...(table === null ? [] : [`  ${visible(table)}\n`]),
    ...remarks
      .filter((remark) => remark.table === table)
      .map(({ what, outcome }) => `${table === null ? "  " : "    "}${visible(`${what}: ${outcome}`)}\n`),
  ]);
  return lines.length === 0 ? [] : [`${title}\n`, ...lines];
}
