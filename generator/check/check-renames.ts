import { maxIdentifierLength } from "../../vocabulary/identifiers.ts";
import type { Report } from "../diagnostics/index.ts";
import type { Located } from "../load/read.ts";
import type { CheckContext } from "./check-context.ts";
import { nameProblem } from "./check-names.ts";

/** Former names of models and fields, which a migration renames (decisions, part 3). */
export function checkRenames({ models, report }: CheckContext): void {
  const keys = models.map((model) => ({ name: model.key, renamedFrom: model.renamedFrom }));
  checkFormerNames("model", "", keys, report);
  for (const model of models) checkFormerNames("field", ` of model "${model.key}"`, model.fields, report);
}

interface Renamed {
  readonly name: string;
  readonly renamedFrom: Located<string> | null;
}

function checkFormerNames(what: string, of: string, items: readonly Renamed[], report: Report): void {
  const inUse = new Set(items.map((item) => item.name));
  const claimed = new Map<string, string>();
  for (const { name, renamedFrom } of items) {
    if (renamedFrom === null) continue;
    const { value: former, at } = renamedFrom;
    const subject = `the former name "${former}" of ${what} "${name}"${of}`;
    const first = claimed.get(former);
    const problem = what === "field" ? columnProblem(former) : nameProblem(former);
    if (problem !== null) report("invalid-rename", at, `${subject} ${problem}`);
    else if (inUse.has(former)) report("invalid-rename", at, `${subject} is still in use`);
    else if (first !== undefined) report("invalid-rename", at, `${subject} is that of "${first}" as well`);
    claimed.set(former, name);
  }
}

/** Columns of an introspected database may have had any name that PostgreSQL takes, that of a runtime column too. */
function columnProblem(former: string): string | null {
  if (former === "") return "is empty";
  if (former.includes("\0")) return "has a NUL character, which no column has";
  const bytes = Buffer.byteLength(former);
  return bytes > maxIdentifierLength ? `has ${bytes} bytes, more than ${maxIdentifierLength}` : null;
}
