import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import { isRuntimeColumn } from "#vocabulary/fields/runtime-columns";
import type { AccessCheck } from "../access-check.ts";
import type { CheckCaller } from "../check-callers.ts";
import { closedColumns, readableFields, readsField, rulesFor, writesField } from "../model-access.ts";
import { liveRows } from "../table-rows.ts";
import {
  addCell,
  askAndRevert,
  denial,
  deniedCell,
  failedCell,
  jsonMember,
  passed,
  recordsIn,
  worstOf,
} from "./ask.ts";
import { type AskedField, type FieldPlace, fieldsAsked, readPlaces, writePlaces } from "./field-places.ts";
import { recordOf } from "./write-kinds.ts";

/** Asks for each field that a caller cannot read or write, in each place that could reveal or change it. */
export async function askClosedFields(check: AccessCheck, model: ModelDefinition): Promise<void> {
  for (const caller of check.callers)
    for (const field of fieldsAsked(model)) {
      const isReadable = readsField(model, field.name, caller.role);
      if (!isReadable) await askPlaces(check, model, caller, field, readPlaces);
      if (!isRuntimeColumn(field.name) && !writesField(model, field.name, caller.role))
        await askPlaces(check, model, caller, field, writePlaces);
    }
}

/** Asks for a value that a row has, and for one that no row has: the answers must be the same. */
async function askPlaces(
  check: AccessCheck,
  model: ModelDefinition,
  caller: CheckCaller,
  field: FieldDefinition,
  places: readonly FieldPlace[],
): Promise<void> {
  const stored = liveRows(check.stored, model).find(({ values }) => values[field.name] != null) ?? null;
  const other = check.sample(field);
  const join = joinTo(check, model, caller);
  const readable = readableFields(model, caller.role).find((name) => name !== field.name) ?? "id";
  for (const { operation, front, name, question } of places) {
    if (!check.operations.has(operation) || isDeniedTo(model, operation, caller)) continue;
    // A row that the caller reaches: otherwise the answer is 403 also without the gate.
    const made = check.rows.get(`${model.key}.${operation}`)?.find((one) => one.caller === caller.name);
    const row = made?.row ?? stored;
    const questions = [stored?.values[field.name] ?? other, other].flatMap(
      (value) => question({ model, field, value, row, other: readable, join }) ?? [],
    );
    if (questions.length === 0) continue;
    const asked = { model, operation, caller, front };
    const replies = [];
    for (const each of questions) replies.push(await askAndRevert(check, caller, each));
    const verdicts = replies.map((reply) =>
      deniedCell(asked, reply, `${denial}, because of the field ${field.name}`),
    );
    const [first, second] = replies.map(({ status, body }) => JSON.stringify([status, body]));
    const [known] = replies;
    if (known !== undefined && second !== undefined && first !== second)
      verdicts.push(failedCell(asked, known, "the same answer as for a value that no row has"));
    addCell(check, asked, `field ${field.name} in ${name}`, worstOf(verdicts));
  }
}

/** A `has_many` to the model that the caller can select. */
function joinTo(
  { definition }: AccessCheck,
  model: ModelDefinition,
  { role }: CheckCaller,
): AskedField["join"] {
  for (const from of definition.models) {
    const isOpen = !from.internal && rulesFor(from, "fetch", role).length > 0;
    const relation = from.relations.find((one) => one.kind === "has_many" && one.model === model.key);
    if (isOpen && relation !== undefined) return { from: from.key, name: relation.name };
  }
  return null;
}

/** A denied operation is 403 without a look at its fields. */
function isDeniedTo(
  model: ModelDefinition,
  operation: FieldPlace["operation"],
  { role }: CheckCaller,
): boolean {
  const halves = operation === "upsert" ? (["upsert of a new row", "upsert of a row"] as const) : [operation];
  return halves.some((ruled) => rulesFor(model, ruled, role).length === 0);
}

/** A report of a bulk names a record by its index. */
const reported: ReadonlySet<string> = new Set(["index", "error", "message", "field", "check"]);

/**
 * Creates a record twice in a bulk, once for each unique key: `failed_records` must have no value of a row, and
 * must not name a key that the caller cannot read.
 */
export async function askUniqueConflicts(check: AccessCheck, model: ModelDefinition): Promise<void> {
  if (!check.operations.has("create")) return;
  for (const caller of check.callers) {
    const made = check.rows.get(`${model.key}.create`)?.find((one) => one.caller === caller.name);
    const closed = closedColumns(model, caller.role);
    if (closed.length === 0 || made === undefined) continue;
    const record = recordOf(check, model, caller.role, made.row);
    const asked = { model, operation: "create", caller, front: "rest" as const };
    for (const { fields } of model.uniqueKeys) {
      const others = model.uniqueKeys.flatMap((key) => key.fields).filter((name) => !fields.includes(name));
      const fresh = model.fields.filter(
        ({ name, foreignKey }) => foreignKey === null && others.includes(name),
      );
      const changed = fresh
        .filter(({ name }) => name in record)
        .map((field) => [field.name, check.sample(field)]);
      const data = [record, { ...record, ...Object.fromEntries(changed) }];
      const reply = await askAndRevert(check, caller, {
        method: "POST",
        path: `${model.slug}/create`,
        body: { data },
      });
      const { data: answer, details } = reply.body;
      const records = [jsonMember(answer, "failed_records"), details?.["failed_records"]].flatMap(recordsIn);
      const isTelling = records.some(
        (one) =>
          Object.keys(one).some((name) => !reported.has(name)) || closed.includes(String(one["field"])),
      );
      const verdict = isTelling ? failedCell(asked, reply, "failed_records without values of rows") : passed;
      addCell(check, asked, `unique key ${fields.join(", ")} in failed_records`, verdict);
    }
  }
}
