import type { Json } from "#vocabulary/json";
import { isSharedId, type ModelJson, type Models } from "./cells.ts";
import type { Asked } from "./compare-cells.ts";

type Row = { readonly [key: string]: Json };

/** Writes answered values back, and creates rows like those that exist. Returns how often each answer came. */
export async function writeAll(models: Models, { ask, report }: Asked): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const note = (what: string, { status, message }: { status: number; message: string }) => {
    if (status >= 500) report(`${what}: ${status} ${message}`);
    const line = status === 200 ? `${what.split(" ")[0]} 200` : `${what}: ${status} ${message}`;
    answers[line] = (answers[line] ?? 0) + 1;
  };
  let count = 0;
  for (const [key, model] of Object.entries(models)) {
    if (model.read_only === true || model.view === true) continue;
    const { data } = await ask(`GET /${key}/fetch?limit=3`);
    for (const row of Array.isArray(data) ? data.map((one): Row => Object(one)) : []) {
      const id = row["id"] ?? null;
      note(
        `update ${key}`,
        await ask(`PUT /${key}/update`, { where: { id }, data: writable(model, row, true) }),
      );
      const data = { ...newId(model, row, ++count), ...writable(model, row, false) };
      note(`create ${key}`, await ask(`POST /${key}/create`, { data }));
    }
  }
  return answers;
}

/** An id that the caller has to send. One that is a foreign key is sent as that field. */
function newId(model: ModelJson, { id = null }: Row, count: number): Row {
  const { id_type: type, columns } = model;
  const stored = columns?.["id"];
  if (Object.entries(model.fields).some((field) => isSharedId(model, field))) return {};
  if (typeof stored === "object" && stored?.generated === false)
    return { id: typeof id === "string" ? `9${count}` : 20_000 + count };
  return type === "string" ? { id: `~${count}` } : {};
}

/** The fields of a row that a caller can send. */
function writable(model: ModelJson, row: Row, isUpdate: boolean): Row {
  return Object.fromEntries(
    Object.entries(model.fields).flatMap(([name, field]) => {
      const value = row[name];
      const isFixed = isUpdate && isSharedId(model, [name, field]);
      const isClosed = field.generated === true || field.db_type === "tsvector" || isFixed;
      return value === undefined || value === null || isClosed ? [] : [[name, value]];
    }),
  );
}
