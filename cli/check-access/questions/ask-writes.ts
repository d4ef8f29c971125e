import type { ModelDefinition, RuleDefinition } from "#generator/definition/definition";
import { isRuntimeColumn } from "#vocabulary/fields/runtime-columns";
import { type AccessCheck, changedByHook, type RuleRow, rowsKey } from "../access-check.ts";
import type { Front } from "../access-report.ts";
import type { CheckCaller } from "../check-callers.ts";
import { clearingSql } from "../expectations.ts";
import type { RowChange } from "../journal.ts";
import {
  operationOf,
  type RuledOperation,
  readableFields,
  readsField,
  rulesFor,
  rulesOf,
} from "../model-access.ts";
import { type StoredRow, sentId } from "../table-rows.ts";
import {
  type AskedReply,
  ask,
  atPrefix,
  type CellVerdict,
  explainLine,
  failedCell,
  isDenied,
  isJsonRecord,
  notTried,
  noUuid,
  passed,
  type Question,
  worstOf,
} from "./ask.ts";
import {
  changeableFields,
  filledIn,
  graphqlWrite,
  makesRow,
  recordOf,
  restWrite,
  ruledWrites,
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
}

/** Rows that were made for another caller: some of them are enough. */
const mostOfOthers = 3;

/** Asks each write of a model as each caller, over both public APIs. */
export async function askWrites(check: AccessCheck, model: ModelDefinition): Promise<void> {
  for (const ruled of ruledWrites) {
    if (!check.operations.has(operationOf(ruled))) continue;
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
  const cell = { model: model.key, operation: operationOf(ruled), caller: caller.name };
  const half = ruled.startsWith("upsert of ") ? `${ruled.slice("upsert of ".length)}: ` : "";
  const fronts = ["rest", "graphql"] as const;
  const isDenied = rulesFor(rulesOf(model, ruled), caller.role).length === 0;
  const found = rowsToWrite(check, model, ruled, made, caller);
  const rows = isDenied ? [found[0] ?? unstoredRow(model)] : found;
  const groups = new Map<string, JudgedWrite[]>();
  for (const row of rows)
    for (const write of writesOf(model, ruled, caller, row, isDenied)) {
      const judged = await judge(check, model, caller, write, row);
      // A record that was made for another role can lack what this one has to send.
      if (judged.isOpen === null && !made.some((one) => one.row === row && one.caller === caller.name))
        continue;
      const label = `${half}${judged.rules.length === 0 ? "denied" : judged.isOpen ? "in" : "out"}${fieldLabel(model, write)}`;
      groups.set(label, [...(groups.get(label) ?? []), judged]);
    }
  for (const [label, writes] of groups)
    for (const front of fronts) {
      const isOwn = made.some((row) => row.caller === caller.name);
      const most = label.includes("denied") ? 1 : isOwn ? writes.length : mostOfOthers;
      const verdicts: CellVerdict[] = [];
      for (const write of writes.slice(0, most)) verdicts.push(await tryWrite(check, write, front));
      check.add({ ...cell, front, rows: label, ...worstOf(verdicts) });
    }
}

/** An update of a model whose rules name fields is asked once for each list. */
function fieldLabel(model: ModelDefinition, { ruled, sent }: Write): string {
  const named = rulesOf(model, ruled).some(({ fields }) => fields !== null);
  return ruled === "update" && named ? ` [${Object.keys(sent).join(", ")}]` : "";
}

/** The rows that were made for the operation, else some of the table. Only restore finds soft-deleted rows. */
function rowsToWrite(
  { stored }: AccessCheck,
  model: ModelDefinition,
  ruled: RuledOperation,
  made: readonly RuleRow[],
  caller: CheckCaller,
): StoredRow[] {
  const own = made.filter((row) => row.caller === caller.name);
  const others = made.filter((row) => row.caller !== caller.name);
  const all = [...(stored.get(model.key)?.values() ?? [])];
  const rows = made.length > 0 || makesRow(ruled) ? [...own, ...others].map(({ row }) => row) : all;
  return rows.filter(({ isDeleted }) => isDeleted === (ruled === "restore"));
}

/** The requests about a row: one, or one for each list of fields that rules name. */
function writesOf(
  model: ModelDefinition,
  ruled: RuledOperation,
  { role }: CheckCaller,
  row: StoredRow,
  isDenied: boolean,
): Write[] {
  const { id } = row;
  if (isDenied) return [{ ruled, id, sent: makesRow(ruled) ? recordOf(model, role, row) : {} }];
  if (ruled === "update")
    return sentFields(model, role).map((name) => ({ ruled, id, sent: { [name]: row.values[name] ?? null } }));
  if (ruled === "create") return [{ ruled, id, sent: recordOf(model, role, row) }];
  if (makesRow(ruled)) {
    const sent = withUpsertKey(model, role, recordOf(model, role, row));
    return sent === null ? [] : [{ ruled, id, sent }];
  }
  if (ruled === "upsert of a row")
    return [{ ruled, id, sent: { ...recordOf(model, role, row), id: sentId(model, id) } }];
  return [{ ruled, id, sent: {} }];
}

/** A denied operation is 403 for a row that does not exist, too. */
function unstoredRow({ idType }: ModelDefinition): StoredRow {
  return { id: idType === "uuid" ? noUuid : "1", isDeleted: false, values: {} };
}

/** A field that no rule names, and one of each list of fields. */
function sentFields(model: ModelDefinition, role: string): string[] {
  const fields = changeableFields(model, role);
  const lists = rulesOf(model, "update").flatMap((rule) => (rule.fields === null ? [] : [rule.fields]));
  const plain = fields.find((name) => !lists.flat().includes(name));
  const named = lists.flatMap((list) => fields.find((name) => list.includes(name)) ?? []);
  return [...new Set([...(plain === undefined ? [] : [plain]), ...named])];
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
  const of = (half: RuledOperation) => rulesFor(rulesOf(model, half), caller.role, names);
  const rules = isMissingHalf(write, of) || readsKeyInVain(model, caller, write) ? [] : of(ruled);
  const known = { ...write, model, caller, rules };
  if (rules.length === 0) return { ...known, isOpen: false };
  if (makesRow(ruled)) {
    const filled = filledIn(model, caller.role, row, check.stored);
    const isOpen = await expectations.opensNew(model, rules, caller, sent, filled);
    return { ...known, isOpen };
  }
  const isBefore = (await expectations.open(model, rules, caller, [id])).has(id);
  // The other requests send the values that the row has.
  const isChanged = ruled === "restore" || model.fields.some(({ preset }) => preset?.on === "write");
  if (!isBefore || !isChanged || ruled === "delete" || ruled === "destroy")
    return { ...known, isOpen: isBefore };
  const after = ruled === "restore" ? { ...sent, deleted_at: null } : sent;
  return { ...known, isOpen: await expectations.opensAfter(model, rules, caller, id, after) };
}

/** An upsert needs a rule for each of its halves. */
function isMissingHalf({ ruled }: Write, of: (half: RuledOperation) => readonly RuleDefinition[]): boolean {
  if (!ruled.startsWith("upsert")) return false;
  return of("upsert of a new row").length === 0 || of("upsert of a row").length === 0;
}

/** Naming a row by its id, or an upsert by its key, reads these fields. */
function readsKeyInVain(model: ModelDefinition, { role }: CheckCaller, { ruled, sent }: Write): boolean {
  if (ruled === "create") return false;
  const key = ruled.startsWith("upsert") ? upsertKey(model, sent) : ["id"];
  return key.some((name) => !readsField(model, name, role));
}

/** Sends a write, compares, and reverts it. */
async function tryWrite(check: AccessCheck, write: JudgedWrite, front: Front): Promise<CellVerdict> {
  const { model, caller } = write;
  if (write.isOpen === null) return notTried("the database refuses the row");
  const builder = front === "rest" ? restWrite(model, write) : graphqlWrite(model, caller, write);
  const question = atPrefix(check, builder);
  const cleared = makesRow(write.ruled) && write.rules.length > 0 ? await clearWay(check, write) : 0;
  if (cleared === null) return notTried("other rows refer to the row with the same unique key");
  const reply = await ask(check, caller, question);
  await check.service.settled();
  const changes = (await check.journal.changes()).slice(cleared);
  try {
    return await verdictOf(check, write, { front, question, reply, changes });
  } finally {
    if (changes.length + cleared > 0) await check.journal.revert();
  }
}

/** Removes rows with the unique keys of a new record. Returns the number of changes; null if other rows prevent it. */
async function clearWay(check: AccessCheck, { model, sent }: JudgedWrite): Promise<number | null> {
  try {
    await check.service.database.query(clearingSql(model, sent), [JSON.stringify(sent)]);
    return (await check.journal.changes()).length;
  } catch {
    return null;
  }
}

interface Written {
  readonly front: Front;
  readonly question: Question;
  readonly reply: AskedReply;
  readonly changes: readonly RowChange[];
}

async function verdictOf(check: AccessCheck, write: JudgedWrite, written: Written): Promise<CellVerdict> {
  const { model, caller, ruled, id, isOpen, rules, sent } = write;
  const { front, question, reply, changes } = written;
  const operation = operationOf(ruled);
  const target = changes.find(
    ({ table, operation: change, row }) =>
      table === model.table && (makesRow(ruled) ? change === "INSERT" : String(row["id"]) === id),
  );
  const explain = explainLine(`${model.key}.${operation}`, caller, makesRow(ruled) ? { data: sent } : { id });
  const hook = (phase: "before" | "after") => changedByHook(check, model, operation, phase, front);
  // An error of the app is not a refusal.
  if (reply.status >= 500)
    return failedCell(question, isOpen ? "200" : "403 PERMISSION_DENIED", reply, explain);
  if (isOpen) {
    if (reply.status === 200 && target !== undefined) return answerOfWrite(check, write, written, explain);
    const changed = hook("before");
    if (changed !== null)
      return { outcome: changed, reason: `answered ${reply.status}: ${reply.body.message ?? ""}` };
    if (reply.status === 400) return notTried(`the service refuses the values: ${reply.body.message ?? ""}`);
    return failedCell(question, "200, and the row is written", reply, explain);
  }
  const isClosed = rules.length === 0;
  const expected = "403 PERMISSION_DENIED, and nothing is written";
  if (target !== undefined) {
    const changed = isClosed || !makesRow(ruled) ? null : hook("before");
    const isNowOpen =
      changed !== null && (await check.expectations.opensNow(model, rules, caller, String(target.row["id"])));
    return isNowOpen
      ? { outcome: changed, reason: "the hook changes the record" }
      : failedCell(question, expected, reply, explain);
  }
  if (isDenied(reply))
    return changes.length === 0
      ? passed
      : failedCell(question, expected, `403, and ${changes.length} rows are changed`, explain);
  const changed = isClosed ? null : hook("before");
  if (changed !== null)
    return { outcome: changed, reason: `answered ${reply.status}: ${reply.body.message ?? ""}` };
  if (reply.status === 400 && !isClosed)
    return notTried(`the service refuses the values: ${reply.body.message ?? ""}`);
  return failedCell(question, expected, reply, explain);
}

/** The answer to a create has exactly the readable fields of the row. */
function answerOfWrite(
  check: AccessCheck,
  { model, caller, ruled }: JudgedWrite,
  { front, question, reply }: Written,
  explain: string,
): CellVerdict {
  const { data } = reply.body;
  if (ruled !== "create" || front !== "rest" || !isJsonRecord(data)) return passed;
  const readable = readableFields(model, caller.role);
  const closed = Object.keys(data).find((name) => !readable.includes(name));
  const isField =
    closed !== undefined && (isRuntimeColumn(closed) || model.fields.some(({ name }) => name === closed));
  const expected = `200 with the fields ${readable.join(", ")}`;
  if (isField) return failedCell(question, expected, reply, explain);
  const missing = readable.find((name) => !Object.hasOwn(data, name));
  if (closed === undefined && missing === undefined) return passed;
  const outcome = changedByHook(check, model, "create", "after", front);
  const reason =
    closed === undefined ? `the field ${missing} is missing` : `the answer has the additional key ${closed}`;
  return outcome === null
    ? failedCell(question, expected, reply, `${reason}: ${explain}`)
    : { outcome, reason };
}
