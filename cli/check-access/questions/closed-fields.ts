import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import { isRuntimeColumn } from "#vocabulary/fields/runtime-columns";
import type { Json } from "#vocabulary/json";
import { elementKindOf, fieldKinds } from "#vocabulary/fields/field-kinds";
import type { AccessCheck } from "../access-check.ts";
import type { Front } from "../access-report.ts";
import type { CheckCaller } from "../check-callers.ts";
import { closedFields, readsField, rulesFor, rulesOf, writesField } from "../model-access.ts";
import { liveRows, type StoredRow } from "../table-rows.ts";
import {
  ask,
  atPrefix,
  explainLine,
  failedCell,
  isDenied,
  isJsonRecord,
  passed,
  type Question,
  queryOf,
  recordsIn,
  type AskedReply,
  type CellVerdict,
  worstOf,
} from "./ask.ts";
import { graphqlWrite, recordOf, restWrite } from "./write-kinds.ts";

/** A place of a request that names a field. A question for a value that a row has, and for one that no row has. */
interface Place {
  readonly operation:
    | "fetch"
    | "search"
    | "count"
    | "exists"
    | "create"
    | "update"
    | "upsert"
    | "delete"
    | "restore";
  readonly front: Front;
  readonly name: string;
  /** Null if the place does not take the field. */
  question(
    model: ModelDefinition,
    field: FieldDefinition,
    value: Json,
    row: StoredRow | null,
  ): Question | null;
}

const rest = (operation: Place["operation"], name: string, question: Place["question"]): Place => ({
  operation,
  front: "rest",
  name,
  question,
});
const graphql = (operation: Place["operation"], name: string, question: Place["question"]): Place => ({
  operation,
  front: "graphql",
  name,
  question,
});

const get = (model: ModelDefinition, operation: string, query: string): Question => ({
  method: "GET",
  path: `${model.slug}/${operation}?${query}`,
});
const isFiltered = ({ kind }: FieldDefinition) => kind !== "json" && kind !== "password";
const isScalar = ({ items, kind }: FieldDefinition) =>
  items === null && kind !== "json" && kind !== "password";
const textOf = (value: Json) =>
  encodeURIComponent(typeof value === "object" ? JSON.stringify(value) : String(value));

/** Where a field that a caller cannot read must not be: the answer would reveal its value. */
const readPlaces: readonly Place[] = [
  rest("fetch", "select_fields", (model, { name }) => get(model, "fetch", `select_fields=${name}`)),
  ...(["fetch", "search", "count", "exists"] as const).map((operation) =>
    rest(operation, "a filter", (model, field, value) =>
      isScalar(field) ? get(model, operation, `${field.name}=${textOf(value)}`) : null,
    ),
  ),
  rest("fetch", "a null filter", (model, field) => get(model, "fetch", `${field.name}__is_null=true`)),
  rest("fetch", "order_by", (model, field) =>
    isScalar(field) ? get(model, "fetch", `order_by=${field.name}`) : null,
  ),
  rest("search", "order_by", (model, field) =>
    isScalar(field) ? get(model, "search", `order_by=${field.name}`) : null,
  ),
  rest("update", "where", (model, field, value) =>
    isFiltered(field)
      ? { method: "PUT", path: `${model.slug}/update`, body: { where: { [field.name]: value }, data: {} } }
      : null,
  ),
  rest("delete", "query", (model, field, value) =>
    isFiltered(field)
      ? { method: "DELETE", path: `${model.slug}/delete`, body: { query: { [field.name]: value } } }
      : null,
  ),
  graphql("fetch", "a selection", (model, { name }) => queryOf(`{ ${model.key} { ${name} } }`)),
  graphql("fetch", "a filter", (model, field, value) =>
    isFiltered(field)
      ? queryOf(
          `query ($value: ${typeOf(field)}) { ${model.key}(${field.name}: $value) { ${otherThan(model, field)} } }`,
          { value },
        )
      : null,
  ),
  graphql("fetch", "orderBy", (model, field) =>
    isScalar(field)
      ? queryOf(`{ ${model.key}(orderBy: "${field.name}") { ${otherThan(model, field)} } }`)
      : null,
  ),
  graphql("search", "a filter of an aggregate", (model, field, value) =>
    isFiltered(field)
      ? queryOf(
          `query ($value: ${typeOf(field)}) { ${model.key}_aggregate(${field.name}: $value) { count } }`,
          { value },
        )
      : null,
  ),
  graphql("search", "groupBy", (model, field) =>
    isScalar(field) ? queryOf(`{ ${model.key}_aggregate(groupBy: [${field.name}]) { count } }`) : null,
  ),
  ...(["min", "max"] as const).map((name) =>
    graphql("search", `the aggregate ${name}`, (model, field) =>
      isScalar(field) && field.kind !== "boolean" && field.kind !== "uuid"
        ? queryOf(`{ ${model.key}_aggregate { ${name} { ${field.name} } } }`)
        : null,
    ),
  ),
  ...(["sum", "avg"] as const).map((name) =>
    graphql("search", `the aggregate ${name}`, (model, field) =>
      fieldKinds[field.kind].summed && field.foreignKey === null
        ? queryOf(`{ ${model.key}_aggregate { ${name} { ${field.name} } } }`)
        : null,
    ),
  ),
];

/** Where a field that a caller cannot write must not be. */
const writePlaces: readonly Place[] = (["create", "update", "upsert", "restore"] as const).flatMap(
  (operation) => {
    const question =
      (front: Front): Place["question"] =>
      (model, field, value, row) => {
        if (operation === "restore" && !model.softDelete) return null;
        const id = row?.id ?? (model.idType === "uuid" ? "00000000-0000-4000-8000-000000000000" : "1");
        const ruled = operation === "upsert" ? "upsert of a new row" : operation;
        const write = { ruled, id, sent: { [field.name]: value } } as const;
        // The role is only of the selection, which these questions do not reach.
        return front === "rest" ? restWrite(model, write) : graphqlWrite(model, { role: "" }, write);
      };
    return [rest(operation, "data", question("rest")), graphql(operation, "input", question("graphql"))];
  },
);

function typeOf({ kind }: FieldDefinition): string {
  return fieldKinds[elementKindOf(kind) ?? kind].graphql.filter ?? "JSON";
}

/** A field for a selection, so that only the asked place names the closed one. */
function otherThan(model: ModelDefinition, field: FieldDefinition): string {
  return field.name === "id" ? (model.fields[0]?.name ?? "created_at") : "id";
}

/** Asks for each field that a caller cannot read or write, in each place that could reveal or change it. */
export async function askClosedFields(check: AccessCheck, model: ModelDefinition): Promise<void> {
  for (const caller of check.callers) {
    const closed = new Set(closedFields(model, caller.role));
    for (const field of fieldsAsked(model)) {
      if (closed.has(field.name)) await askPlaces(check, model, caller, field, readPlaces);
      if (closed.has(field.name)) await askSearchTerm(check, model, caller, field);
      if (!isRuntimeColumn(field.name) && !writesField(model, field.name, caller.role))
        await askPlaces(check, model, caller, field, writePlaces);
    }
  }
}

/** The fields of a model, and its time columns. Gates of `id` are asked by every other question. */
function fieldsAsked(model: ModelDefinition): readonly FieldDefinition[] {
  const [any] = model.fields;
  if (any === undefined) return [];
  const times = model.access.fields.filter(({ field }) => ["created_at", "updated_at"].includes(field));
  const column = {
    description: null,
    renamedFrom: null,
    required: false,
    nullable: false,
    enum: null,
    searchable: false,
    maxLength: null,
    minLength: null,
    minimum: null,
    maximum: null,
    pattern: null,
    decimal: null,
    items: null,
    foreignKey: null,
  };
  return [
    ...model.fields,
    ...times.map(({ field }): FieldDefinition => ({ ...column, name: field, kind: "datetime" })),
  ];
}

async function askPlaces(
  check: AccessCheck,
  model: ModelDefinition,
  caller: CheckCaller,
  field: FieldDefinition,
  places: readonly Place[],
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
function isDeniedTo(model: ModelDefinition, { operation }: Place, { role }: CheckCaller): boolean {
  const halves = operation === "upsert" ? (["upsert of a new row", "upsert of a row"] as const) : [operation];
  return halves.some((ruled) => rulesFor(rulesOf(model, ruled), role).length === 0);
}

function verdictOf(
  check: AccessCheck,
  model: ModelDefinition,
  caller: CheckCaller,
  field: FieldDefinition,
  place: Place,
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

/** A valid value that no row has, where the kind has such values. */
function sampleOf({ name, kind, enum: values, items }: FieldDefinition): Json {
  const [first] = values ?? [];
  const value = first ?? samples[elementKindOf(kind) ?? kind] ?? `no-${name}`;
  return items === null ? value : [value];
}

const samples: Readonly<Record<string, Json>> = {
  ...{ integer: 987_654, bigint: 987_654, int64: "987654", float: 0.625, decimal: "1", boolean: false },
  ...{ datetime: "2001-02-03T04:05:06Z", date: "2001-02-03", time: "04:05:06", json: { none: true } },
  ...{ uuid: "00000000-0000-4000-8000-000000000000", email: "none@example.com" },
};

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
    get(model, "search", `search_term=${encodeURIComponent(term)}&limit=${model.maxLimit}`),
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
    const closed = closedFields(model, caller.role);
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
      (isJsonRecord(answer) ? answer["failed_records"] : (details?.["failed_records"] as Json)) ?? null,
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
