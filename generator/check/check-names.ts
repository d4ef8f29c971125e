import { databaseName } from "../../vocabulary/database-names.ts";
import { maxIdentifierLength } from "../../vocabulary/identifiers.ts";
import { isInternalTable } from "../../vocabulary/internal-tables.ts";
import { nearest } from "../../vocabulary/nearest.ts";
import { isRuntimeColumn, runtimeColumns } from "../../vocabulary/runtime-columns.ts";
import type { Report, Span } from "../diagnostics/index.ts";
import type { RawModel } from "../load/raw.ts";
import { reservedKeys } from "../load/reserved-keys.ts";
import type { CheckContext } from "./check-context.ts";

/** Names of models and fields (decisions, part 3). */
export function checkNames({ models, report }: CheckContext): void {
  const own = models.filter(({ builtIn }) => !builtIn);
  const keys = own.map((model) => ({ name: model.key, at: model.at }));
  checkCase("model keys", keys, report);
  for (const model of own) {
    checkName(`model key "${model.key}"`, model.key, model.at, report);
    if (reservedKeys.has(model.key.toLowerCase()) || isInternalTable(model.key)) {
      report(
        "reserved-model",
        model.at,
        `"${model.key}" is a name that the service uses itself`,
        "choose another key",
      );
    }
    checkDatabaseName(model, own, report);
    checkFields(model, report);
  }
  for (const model of models) {
    checkSpellings(model, report);
    checkFieldNames(model, report);
  }
}

/** Two models that code of one's own would reach by one name. */
function checkDatabaseName(model: RawModel, all: readonly RawModel[], report: Report): void {
  const name = databaseName(model.key);
  if (name === model.key || !all.some(({ key }) => key === name)) return;
  const message = `"${model.key}" goes by context.db.${name}, which is the name of the model "${name}"`;
  report("reserved-model", model.at, message, "choose another key for one of them");
}

/** Columns that PostgreSQL gives every table. */
const systemColumns: ReadonlySet<string> = new Set(["xmin", "xmax", "cmin", "cmax", "ctid", "tableoid"]);

function checkFieldNames(model: RawModel, report: Report): void {
  checkCase(`fields of model "${model.key}"`, model.fields, report, runtimeColumns);
  for (const field of model.fields) {
    checkName(`field "${field.name}" of model "${model.key}"`, field.name, field.at, report);
    if (isRuntimeColumn(field.name)) {
      const hint = "every row has it already; remove the field";
      report("reserved-field", field.at, `"${field.name}" of model "${model.key}" is a runtime column`, hint);
    }
    if (systemColumns.has(field.name)) {
      const message = `"${field.name}" of model "${model.key}" is a column that PostgreSQL gives every table`;
      report("reserved-field", field.at, message, "choose another name");
    }
  }
}

function checkSpellings(model: RawModel, report: Report): void {
  for (const [first, second] of [
    ["table", "table_name"],
    ["schema", "fields"],
  ] as const) {
    const at = model.keys.get(second);
    if (at !== undefined && model.keys.has(first)) {
      report(
        "conflicting-keys",
        at,
        `model "${model.key}" has both "${first}" and "${second}"`,
        "keep one of them",
      );
    }
  }
}

function checkFields(model: RawModel, report: Report): void {
  // A misspelt key is reported as such.
  const near = [...model.keys.keys()].some((key) => nearest(key, ["schema", "fields"]) !== null);
  if (!near) {
    report("missing-key", model.at, `model "${model.key}" lacks the key "fields"`, 'add "fields": { … }');
  }
}

function checkName(subject: string, name: string, at: Span, report: Report): void {
  const problem = nameProblem(name);
  if (problem !== null)
    report(
      "invalid-name",
      at,
      `${subject} ${problem}`,
      `letters, digits and single underscores, at most ${maxIdentifierLength}, a letter first`,
    );
}

/** Why a string cannot be the name of a model or field, or null. */
export function nameProblem(name: string): string | null {
  if (name === "") return "is empty";
  if (!/^[A-Za-z]/.test(name)) return "does not begin with a letter";
  if (!/^[A-Za-z0-9_]*$/.test(name)) return "has a character that is not allowed";
  if (name.includes("__")) return "has two underscores in a row, which separate filters from fields";
  return name.length > maxIdentifierLength
    ? `has ${name.length} characters, more than ${maxIdentifierLength}`
    : null;
}

function checkCase(
  what: string,
  names: readonly { name: string; at: Span }[],
  report: Report,
  present: readonly string[] = [],
): void {
  const seen = new Map(present.map((name) => [name, name]));
  for (const { name, at } of names) {
    const first = seen.get(name.toLowerCase());
    if (first === undefined) seen.set(name.toLowerCase(), name);
    else if (first !== name)
      report("case-conflict", at, `"${first}" and "${name}" differ only by case (${what})`);
  }
}
