import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import { isRuntimeColumn } from "#vocabulary/fields/runtime-columns";
import type { AccessCheck } from "../access-check.ts";
import type { CheckCaller } from "../check-callers.ts";
import { closedColumns, readsField, rulesFor, rulesOf, writesField } from "../model-access.ts";
import { liveRows } from "../table-rows.ts";
import {
  type AskedReply,
  ask,
  atPrefix,
  type CellVerdict,
  explainLine,
  failedCell,
  isDenied,
  isJsonRecord,
  passed,
  type Question,
  recordsIn,
  worstOf,
} from "./ask.ts";
import {
  type FieldPlace,
  fieldsAsked,
  getQuestion,
  readPlaces,
  sampleOf,
  writePlaces,
} from "./field-places.ts";
import { recordOf } from "./write-kinds.ts";

/** Asks for each field that a caller cannot read or write, in each place that could reveal or change it. */
export async function askClosedFields(check: AccessCheck, model: ModelDefinition): Promise<void> {
  for (const caller of check.callers) {
    const closed = new Set(closedColumns(model, caller.role));
    for (const field of fieldsAsked(model)) {
      if (closed.has(field.name)) await askPlaces(check, model, caller, field, readPlaces);
      if (closed.has(field.name)) await askSearchTerm(check, model, caller, field);
      if (!isRuntimeColumn(field.name) && !writesField(model, field.name, caller.role))
        await askPlaces(check, model, caller, field, writePlaces);
    }
  }
}

async function askPlaces(
  check: AccessCheck,
  model: ModelDefinition,
  caller: CheckCaller,
  field: FieldDefinition,
  places: readonly FieldPlace[],
): Promise<void> {
  const rows = liveRows(check.stored, model);
  const row = rows.find(({ values }) => values[field.name] != null) ?? null;
  const known = row?.values[field.name] ?? sampleOf(field);
  for (const place of places) {
    if (!check.operations.has(place.operation) || isDeniedTo(model, place, caller)) continue;
    // A row that the caller reaches: otherwise the answer is 403 also without the gate.
    const own = (check.rows.get(`${model.key}.${place.operation}`) ?? []).find(
      (made) => made.caller === caller.name,
    );
    const asked = [known, sampleOf(field)].flatMap(
      (value) => place.question(model, field, value, own?.row ?? row) ?? [],
    );
    if (asked.length === 0) continue;
    const replies: AskedReply[] = [];
    for (const question of asked) {
      replies.push(await ask(check, caller, atPrefix(check, question)));
      if (places === writePlaces) await check.journal.revert();
    }
    check.add({
      model: model.key,
      operation: place.operation,
      caller: caller.name,
      front: place.front,
      rows: `field ${field.name} in ${place.name}`,
      ...worstOf(
        asked.map((question, index) =>
          verdictOf(check, model, caller, field, place, question, replies, index),
        ),
      ),
    });
  }
}

/** A denied operation is 403 without a look at its fields. */
function isDeniedTo(model: ModelDefinition, { operation }: FieldPlace, { role }: CheckCaller): boolean {
  const halves = operation === "upsert" ? (["upsert of a new row", "upsert of a row"] as const) : [operation];
  return halves.some((ruled) => rulesFor(rulesOf(model, ruled), role).length === 0);
}

function verdictOf(
  check: AccessCheck,
  model: ModelDefinition,
  caller: CheckCaller,
  field: FieldDefinition,
  place: FieldPlace,
  question: Question,
  replies: readonly AskedReply[],
  index: number,
): CellVerdict {
  const [first] = replies;
  const reply = replies[index];
  if (reply === undefined || first === undefined) return passed;
  const explain = explainLine(`${model.key}.${place.operation}`, caller);
  const full = atPrefix(check, question);
  if (!isDenied(reply))
    return failedCell(full, `403 PERMISSION_DENIED, because of the field ${field.name}`, reply, explain);
  if (isSame(reply, first)) return passed;
  return failedCell(full, "the same answer for a value that no row has", reply, explain);
}

function isSame(one: AskedReply, other: AskedReply): boolean {
  return JSON.stringify([one.status, one.body]) === JSON.stringify([other.status, other.body]);
}

/** A search does not look into a searchable field that the caller cannot read. */
async function askSearchTerm(
  check: AccessCheck,
  model: ModelDefinition,
  caller: CheckCaller,
  field: FieldDefinition,
): Promise<void> {
  const rules = rulesFor(rulesOf(model, "search"), caller.role);
  if (!field.searchable || rules.length === 0 || !check.operations.has("search")) return;
  const others = model.fields.filter(
    ({ searchable, name }) => searchable && readsField(model, name, caller.role),
  );
  const rows = liveRows(check.stored, model);
  const row = rows.find(({ values }) => typeof values[field.name] === "string" && values[field.name] !== "");
  if (row === undefined) return;
  const term = String(row.values[field.name]).slice(0, 256);
  const matching = new Set(
    rows
      .filter(({ values }) =>
        others.some(({ name }) =>
          String(values[name] ?? "")
            .toLowerCase()
            .includes(term.toLowerCase()),
        ),
      )
      .map(({ id }) => id),
  );
  const question = atPrefix(
    check,
    getQuestion(model, "search", `search_term=${encodeURIComponent(term)}&limit=${model.maxLimit}`),
  );
  const reply = await ask(check, caller, question);
  const found = recordsIn(reply.body.data).map((one) => String(one["id"]));
  const extra = found.find((id) => !matching.has(id));
  const verdict =
    isDenied(reply) || (reply.status === 200 && extra === undefined)
      ? passed
      : failedCell(
          question,
          "no row that only has the text in a field that the caller cannot read",
          reply,
          explainLine(`${model.key}.search`, caller),
        );
  check.add({
    model: model.key,
    operation: "search",
    caller: caller.name,
    front: "rest",
    rows: `field ${field.name} in search_term`,
    ...verdict,
  });
}

/** A duplicate of a row, in a bulk: `failed_records` must not have the row or a value that the caller cannot read. */
export async function askFailedRecords(check: AccessCheck, model: ModelDefinition): Promise<void> {
  const unique = model.uniqueKeys.filter(({ fields }) => fields.length === 1);
  if (unique.length === 0 || !check.operations.has("create")) return;
  for (const caller of check.callers) {
    const closed = closedColumns(model, caller.role);
    const row = (check.rows.get(`${model.key}.create`) ?? []).find((one) => one.caller === caller.name)?.row;
    if (closed.length === 0 || row === undefined) continue;
    const data = recordOf(model, caller.role, row);
    const question = atPrefix(check, {
      method: "POST",
      path: `${model.slug}/create`,
      body: { data: [data, data] },
    });
    const reply = await ask(check, caller, question);
    await check.service.settled();
    await check.journal.revert();
    const { data: answer, details } = reply.body;
    const records = recordsIn(
      (isJsonRecord(answer) ? answer["failed_records"] : details?.["failed_records"]) ?? null,
    );
    const shown = records
      .flatMap((record) => Object.keys(record))
      .find((name) => !["index", "error", "message", "field", "check"].includes(name));
    const verdict =
      shown === undefined
        ? passed
        : failedCell(
            question,
            "failed_records without values of rows",
            reply,
            explainLine(`${model.key}.create`, caller),
          );
    check.add({
      model: model.key,
      operation: "create",
      caller: caller.name,
      front: "rest",
      rows: "fields in failed_records",
      ...verdict,
    });
  }
}
