import type { ModelDefinition, RuleDefinition } from "#generator/definition/definition";
import { keyField } from "#generator/definition/stored";
import { isRuntimeColumn } from "#vocabulary/fields/runtime-columns";
import { type AccessCheck, type RuleRow, rowsKey } from "../access-check.ts";
import type { Front } from "../access-report.ts";
import type { CheckCaller } from "../check-callers.ts";
import type { RowChange } from "../journal.ts";
import {
  isReading,
  operationOf,
  type RuledOperation,
  readableFields,
  readsField,
  ruledOperations,
  rulesFor,
  rulesOf,
} from "../model-access.ts";
import { type StoredRow, sentId } from "../table-rows.ts";
import { leakIn, otherKeys } from "./answered-rows.ts";
import {
  type Asked,
  type AskedReply,
  addCell,
  ask,
  type CellVerdict,
  changedByHook,
  denial,
  failedCell,
  isDenied,
  notTried,
  noUuid,
  passed,
  recordsIn,
  rootOf,
  worstOf,
} from "./ask.ts";
import {
  filledIn,
  makesRow,
  mutationName,
  recordOf,
  requestOf,
  updatedFields,
  upsertKey,
  type Write,
  withUpsertKey,
} from "./write-kinds.ts";

/** A write, and what the rules say about it. */
interface JudgedWrite extends Write {
  readonly model: ModelDefinition;
  readonly caller: CheckCaller;
  readonly rules: readonly RuleDefinition[];
  /** Null if the database refuses the row. */
  readonly isOpen: boolean | null;
  /** Whether the caller could fetch the row before. True for a new row. */
  readonly wasFetched: boolean;
}

/** Rows that were made for another caller: some of them are enough. */
const mostOfOthers = 3;

/** Asks each write of a model as each caller, over each public API. */
export async function askWrites(check: AccessCheck, model: ModelDefinition): Promise<void> {
  for (const ruled of ruledOperations) {
    if (model.readOnly || isReading(ruled) || !check.operations.has(operationOf(ruled))) continue;
    // Without soft delete, the route of restore does not exist.
    if (ruled === "restore" && !model.softDelete) continue;
    for (const caller of check.callers) await askWrite(check, model, ruled, caller);
  }
}

async function askWrite(
  check: AccessCheck,
  model: ModelDefinition,
  ruled: RuledOperation,
  caller: CheckCaller,
): Promise<void> {
  const made = check.rows.get(rowsKey(model, ruled)) ?? [];
  const isDenied = rulesFor(model, ruled, caller.role).length === 0;
  const found = rowsToWrite(check, model, ruled, made, caller);
  const own = new Set(made.filter((row) => row.caller === caller.name).map(({ row }) => row));
  const groups = new Map<string, JudgedWrite[]>();
  for (const row of isDenied ? [found[0] ?? unstoredRow(model)] : found)
    for (const write of writesOf(check, model, ruled, caller, row, isDenied)) {
      const judged = await judge(check, model, caller, write, row);
      // A record that was made for another role can lack what this one has to send.
      if (judged.isOpen === null && !own.has(row)) continue;
      const label = labelOf(judged);
      groups.set(label, [...(groups.get(label) ?? []), judged]);
    }
  for (const [label, writes] of groups)
    for (const front of frontsOf(model, ruled)) {
      const most = label.includes("denied") ? 1 : own.size > 0 ? writes.length : mostOfOthers;
      const verdicts: CellVerdict[] = [];
      for (const write of writes.slice(0, most)) verdicts.push(await tryWrite(check, write, front));
      addCell(check, { model, operation: operationOf(ruled), caller, front }, label, worstOf(verdicts));
    }
}

function frontsOf({ mcp }: ModelDefinition, ruled: RuledOperation): readonly Front[] {
  return ["rest", "graphql", ...(mcp.includes(operationOf(ruled)) ? (["mcp"] as const) : [])];
}

/** The row set. An update of a model whose rules name fields has one for each list. */
function labelOf({ model, ruled, sent, rules, isOpen }: JudgedWrite): string {
  const half = ruled.startsWith("upsert of ") ? `${ruled.slice("upsert of ".length)}: ` : "";
  const isNamed = ruled === "update" && rulesOf(model, ruled).some(({ fields }) => fields !== null);
  const set = rules.length === 0 ? "denied" : isOpen ? "in" : "out";
  return `${half}${set}${isNamed ? ` [${Object.keys(sent).join(", ")}]` : ""}`;
}

/** The rows that were made for the operation, else some of the table. Only restore finds soft-deleted rows. */
function rowsToWrite(
  { stored }: AccessCheck,
  model: ModelDefinition,
  ruled: RuledOperation,
  made: readonly RuleRow[],
  caller: CheckCaller,
): StoredRow[] {
  const isOwn = (row: RuleRow) => row.caller === caller.name;
  const ordered = [...made.filter(isOwn), ...made.filter((row) => !isOwn(row))].map(({ row }) => row);
  const rows = made.length > 0 || makesRow(ruled) ? ordered : [...(stored.get(model.key)?.values() ?? [])];
  return rows.filter(({ isDeleted }) => isDeleted === (ruled === "restore"));
}

/** The requests about a row: one, or one for each list of fields that rules name. */
function writesOf(
  check: AccessCheck,
  model: ModelDefinition,
  ruled: RuledOperation,
  { role }: CheckCaller,
  row: StoredRow,
  isDenied: boolean,
): Write[] {
  const { id, values } = row;
  const record = () => recordOf(check, model, role, row);
  if (ruled === "create" || (makesRow(ruled) && isDenied)) return [{ ruled, id, sent: record() }];
  if (isDenied) return [{ ruled, id, sent: {} }];
  if (ruled === "update")
    return updatedFields(model, role).map((name) => ({ ruled, id, sent: { [name]: values[name] ?? null } }));
  // A foreign key that has the column of the id is in the record.
  const named = keyField(model) === null ? { id: sentId(model, id) } : {};
  if (ruled === "upsert of a row") return [{ ruled, id, sent: { ...record(), ...named } }];
  if (ruled !== "upsert of a new row") return [{ ruled, id, sent: {} }];
  const sent = withUpsertKey(check, model, role, record());
  return sent === null ? [] : [{ ruled, id, sent }];
}

/** A denied operation is 403 for a row that does not exist, too. */
function unstoredRow({ idType }: ModelDefinition): StoredRow {
  return { id: idType === "uuid" ? noUuid : "1", isDeleted: false, values: {} };
}

async function judge(
  check: AccessCheck,
  model: ModelDefinition,
  caller: CheckCaller,
  write: Write,
  row: StoredRow,
): Promise<JudgedWrite> {
  const { ruled, id, sent } = write;
  const { expectations } = check;
  const names = Object.keys(sent).filter((name) => !isRuntimeColumn(name));
  const of = (half: RuledOperation) => rulesFor(model, half, caller.role, names);
  // An upsert needs a rule for each of its halves.
  const halves: readonly RuledOperation[] = ["upsert of a new row", "upsert of a row"];
  const lacksHalf = ruled.startsWith("upsert") && halves.some((half) => of(half).length === 0);
  // Naming a row by its id, or an upsert by its key, reads these fields.
  const key = ruled === "create" ? [] : ruled.startsWith("upsert") ? upsertKey(model, sent) : ["id"];
  const isClosed = lacksHalf || key.some((name) => !readsField(model, name, caller.role));
  const rules = isClosed ? [] : of(ruled);
  const fetch = rulesFor(model, "fetch", caller.role);
  const wasFetched =
    makesRow(ruled) || (await expectations.open({ model, rules: fetch, caller }, [id])).has(id);
  const known = { ...write, model, caller, rules, wasFetched };
  if (rules.length === 0) return { ...known, isOpen: false };
  if (makesRow(ruled)) {
    const filled = filledIn(check, model, caller.role, row);
    return { ...known, isOpen: await expectations.opensNew({ model, rules, caller }, sent, filled) };
  }
  const isBefore = (await expectations.open({ model, rules, caller }, [id])).has(id);
  // The other requests send the values that the row has.
  const isChanged = ruled === "restore" || model.fields.some(({ preset }) => preset?.on === "write");
  if (!isBefore || !isChanged || ruled === "delete" || ruled === "destroy")
    return { ...known, isOpen: isBefore };
  const after = ruled === "restore" ? { ...sent, deleted_at: null } : sent;
  return { ...known, isOpen: await expectations.opensAfter({ model, rules, caller }, id, after) };
}

/** Sends a write, compares, and reverts it. */
async function tryWrite(check: AccessCheck, write: JudgedWrite, front: Front): Promise<CellVerdict> {
  const { model, caller, ruled, rules } = write;
  if (write.isOpen === null) return notTried("the database refuses the row");
  const cleared = makesRow(ruled) && rules.length > 0 ? await clearWay(check, write) : 0;
  if (cleared === null) return notTried("other rows refer to the row with the same unique key");
  const selected = readableFields(model, caller.role);
  const question = requestOf(model, front, write, selected);
  const reply = await ask(check, caller, question);
  await check.service.settled();
  const changes = (await check.journal.changes()).slice(cleared);
  try {
    return await verdictOf(check, write, front, reply, changes);
  } finally {
    if (changes.length + cleared > 0) await check.journal.revert();
  }
}

/** Removes rows with the unique keys of a new record. Returns the number of changes; null if other rows prevent it. */
async function clearWay(check: AccessCheck, { model, sent }: JudgedWrite): Promise<number | null> {
  try {
    await check.service.database.query(...check.expectations.clearing(model, sent));
    return (await check.journal.changes()).length;
  } catch {
    return null;
  }
}

async function verdictOf(
  check: AccessCheck,
  write: JudgedWrite,
  front: Front,
  reply: AskedReply,
  changes: readonly RowChange[],
): Promise<CellVerdict> {
  const { model, caller, ruled, id, isOpen, rules, sent } = write;
  const asked = { model, operation: operationOf(ruled), caller, front };
  const about = makesRow(ruled) ? { data: sent } : { id };
  const target = changes.find(
    ({ model: changed, operation, row }) =>
      changed === model.key && (makesRow(ruled) ? operation === "INSERT" : String(row["id"]) === id),
  );
  const isClosed = rules.length === 0;
  const expected = isOpen ? "200, and the row is written" : `${denial}, and nothing is written`;
  const refuse = (actual?: string) =>
    failedCell(asked, reply, expected, { ...about, ...(actual !== undefined && { actual }) });
  // An error of the app is not a refusal.
  if (reply.status >= 500) return refuse();
  if (isOpen && reply.status === 200 && target !== undefined)
    return judgeAnswer(check, write, asked, reply, target.row);
  if (!isOpen && target !== undefined) {
    const changed =
      isClosed || !makesRow(ruled) ? null : changedByHook(check, asked, "the hook changes the record");
    const isNowOpen =
      changed !== null &&
      (await check.expectations.opensNow({ model, rules, caller }, String(target.row["id"])));
    return isNowOpen ? changed : refuse();
  }
  if (!isOpen && isDenied(reply))
    return changes.length === 0 ? passed : refuse(`403, and ${changes.length} rows are changed`);
  if (isClosed) return refuse();
  const said = reply.body.message ?? "";
  const changed = changedByHook(check, asked, `answered ${reply.status}: ${said}`);
  if (changed !== null) return changed;
  return reply.status === 400 ? notTried(`the service refuses the values: ${said}`) : refuse();
}

/**
 * A created row is answered with exactly its readable fields. Of other written rows, GraphQL answers only the id
 * if the caller could not fetch the row before, or cannot fetch it after.
 */
async function judgeAnswer(
  check: AccessCheck,
  { model, caller, ruled, id, sent, wasFetched }: JudgedWrite,
  asked: Asked,
  reply: AskedReply,
  written: RowChange["row"],
): Promise<CellVerdict> {
  const readable = readableFields(model, caller.role);
  const isRest = asked.front !== "graphql";
  const answered = isRest ? reply.body.data : rootOf(reply, mutationName(model, ruled));
  const [row] = recordsIn(answered);
  if ((isRest && ruled !== "create") || row === undefined) return passed;
  const about = makesRow(ruled) ? { data: sent } : { id };
  const expected = `200 with the fields ${readable.join(", ")}`;
  const leaked = leakIn(check, asked, row);
  if (leaked !== null) return failedCell(asked, reply, expected, { ...about, what: leaked });
  const fetch = rulesFor(model, "fetch", caller.role);
  // A created row is answered as it was sent, a deleted one as it was.
  const isKnown = ruled === "create" || ruled === "destroy" || (ruled === "delete" && !model.softDelete);
  const isFetched =
    wasFetched &&
    (isKnown || (await check.expectations.opensNow({ model, rules: fetch, caller }, String(written["id"]))));
  const shown = readable.find((name) => name !== "id" && (row[name] ?? null) !== null);
  if (!isFetched && shown !== undefined)
    return failedCell(asked, reply, `200 with null for ${shown}: the caller cannot fetch the row`, about);
  const lacking = isFetched && readable.find((name) => written[name] != null && (row[name] ?? null) === null);
  const what = otherKeys(row, readable) ?? (lacking ? `the field ${lacking} is null` : null);
  if (what === null) return passed;
  return changedByHook(check, asked, what) ?? failedCell(asked, reply, expected, { ...about, what });
}
