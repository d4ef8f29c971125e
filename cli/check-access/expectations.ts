import pg from "pg";
import type { ModelDefinition, PresetDefinition, RuleDefinition } from "#generator/definition/definition";
import type { Database, Queryable } from "#runtime/core/database/index";
import {
  bareColumns,
  columnList,
  columnsOfTable,
  every,
  join,
  type Models,
  plan,
  policyValue,
  type Sql,
  sql,
  tableSql,
} from "#runtime/data/sql/index";
import { columnName, columnsOf, type Model } from "#runtime/models/index";
import { type Preset, presetText } from "#vocabulary/fields/presets";
import type { Json } from "#vocabulary/json";
import { rowIdSql, rowsThatHold } from "../conditions/index.ts";
import type { CheckCaller } from "./check-callers.ts";
import { openCondition, writesField } from "./model-access.ts";

/** Values of a row as requests send them. */
export type SentValues = Readonly<Record<string, Json>>;

/** Rules of a model that count for a caller. */
interface Opened {
  readonly model: ModelDefinition;
  readonly rules: readonly RuleDefinition[];
  readonly caller: CheckCaller;
}

/** A statement with the values of its parameters. */
type Bound = readonly [text: string, values: readonly unknown[]];

/** Ends a transaction without a commit. */
class RolledBack extends Error {}

/**
 * What the models files say about rows and callers. PostgreSQL evaluates the conditions; nothing comes from
 * `generated/`.
 */
export class Expectations {
  readonly #models: Models;
  readonly #database: Database;
  readonly #open = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(models: Models, database: Database) {
    this.#models = models;
    this.#database = database;
  }

  /** The rows of `ids` that the rules open to the caller. Reads are remembered: questions revert their changes. */
  open(asked: Opened, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { model, rules, caller } = asked;
    if (rules.length === 0 || ids.length === 0) return Promise.resolve(new Set());
    const key = JSON.stringify([model.key, openCondition(rules), caller.name, ids]);
    const known = this.#open.get(key) ?? this.#holding(this.#database, asked, ids);
    this.#open.set(key, known);
    return known;
  }

  /** Whether the rules open a row now, for example one that a request has changed. */
  async opensNow(asked: Opened, id: string): Promise<boolean> {
    return asked.rules.length > 0 && (await this.#holding(this.#database, asked, [id])).has(id);
  }

  /** Whether the rules open a new row with the sent values, and with `filled` from the app's code. */
  opensNew(asked: Opened, sent: SentValues, filled: SentValues): Promise<boolean | null> {
    const model = this.#modelOf(asked);
    return this.#inRolledBack(async (connection) => {
      await run(connection, this.clearing(asked.model, sent));
      const made = await insert(connection, model, asked, { ...filled, ...sent });
      // The service judges a new row before it is one of the rows that EXISTS finds.
      const apart = { ...model, schema: "pg_temp", table: "kirak_check_new" };
      const source = sql("from ? as t where ? = $1", tableSql(model), rowIdSql(model));
      await run(connection, [
        textOf(sql("create temp table ?? on commit drop as select * ?", apart.table, source)),
        [made],
      ]);
      await run(connection, [textOf(sql("delete ?", source)), [made]]);
      return (await this.#holding(connection, asked, [made], apart)).has(made);
    });
  }

  /** Whether the rules open a row after a write that sets these values, and presets of each write. */
  opensAfter(asked: Opened, id: string, sent: SentValues): Promise<boolean | null> {
    return this.#inRolledBack(async (connection) => {
      await change(connection, this.#modelOf(asked), asked, id, sent);
      return (await this.#holding(connection, asked, [id])).has(id);
    });
  }

  /** Removes the rows whose unique keys a record has. */
  clearing(model: Pick<ModelDefinition, "key">, sent: SentValues): Bound {
    return clearing(this.#modelOf({ model }), sent);
  }

  async #holding(
    connection: Queryable,
    asked: Opened,
    ids: readonly string[],
    model = this.#modelOf(asked),
  ): Promise<ReadonlySet<string>> {
    const [where, condition] = [{ connection, models: this.#models }, openCondition(asked.rules)];
    return new Set(await rowsThatHold(where, model, condition, asked.caller.principal, ids));
  }

  #modelOf({ model: { key } }: { readonly model: Pick<ModelDefinition, "key"> }): Model {
    const model = this.#models.get(key);
    if (model === undefined) throw new Error(`the definition has no model ${key}`);
    return model;
  }

  /** Null if the database refuses the row. */
  async #inRolledBack(work: (connection: Queryable) => Promise<boolean>): Promise<boolean | null> {
    let holds: boolean | null = null;
    try {
      await this.#database.transaction(async (transaction) => {
        holds = await work(transaction);
        throw new RolledBack();
      });
    } catch (error) {
      if (!(error instanceof RolledBack) && !(error instanceof pg.DatabaseError)) throw error;
    }
    return holds;
  }
}

const textOf = (piece: Sql): string => plan(piece).statement.text;

/** The values of a record as the row `r` of a table. The parameter `$1` is `recordText`. */
const recordSql = (model: Model): Sql =>
  sql("jsonb_populate_record(null::?, $1::jsonb) as r", tableSql(model));

function recordText(model: Model, values: SentValues): string {
  const named = Object.entries(values).map(([name, value]) => [columnName(model, name), value]);
  return JSON.stringify(Object.fromEntries(named));
}

function clearing(model: Model, sent: SentValues): Bound {
  const [row, record] = [columnsOfTable(model, "t"), columnsOfTable(model, "r")];
  const keys = [["id"], ...model.uniqueKeys.map(({ fields }) => fields)];
  const taken = keys
    .filter((fields) => fields.every((name) => sent[name] != null))
    .map((fields) => every(fields.map((name) => sql("? = ?", row(name), record(name)))));
  const where = taken.length === 0 ? sql("false") : join(taken, " or ");
  const text = sql("delete from ? as t using ? where ?", tableSql(model), recordSql(model), where);
  return [textOf(text), [recordText(model, sent)]];
}

function run(connection: Queryable, [text, values]: Bound): Promise<(string | null)[][]> {
  return connection.run({ name: null, text }, values).then((rows) => rows.map((row) => [...row]));
}

/** Inserts a row as the server does: with sent values, presets, times and defaults. */
async function insert(
  connection: Queryable,
  model: Model,
  asked: Opened,
  values: SentValues,
): Promise<string> {
  const set = valuesToSet(model, asked, values, () => true);
  for (const name of ["created_at", "updated_at"])
    if (columnsOf(model).get(name)?.generated === false) set.set(name, sql("now()"));
  const [names, chosen] = [columnList([...set.keys()], bareColumns(model)), join([...set.values()], ", ")];
  const row = sql("(?) overriding system value select ? from ?", names, chosen, recordSql(model));
  const source = set.size === 0 ? sql("default values") : row;
  const text = sql("insert into ? as t ? returning ?", tableSql(model), source, rowIdSql(model));
  const [[id] = []] = await run(connection, [
    textOf(text),
    set.size === 0 ? [] : [recordText(model, values)],
  ]);
  return id ?? "";
}

async function change(
  connection: Queryable,
  model: Model,
  asked: Opened,
  id: string,
  values: SentValues,
): Promise<void> {
  const set = valuesToSet(model, asked, values, (preset) => preset.on === "write");
  if (set.size === 0) return;
  const changes = [...set].map(([name, value]) => sql("? = ?", bareColumns(model)(name), value));
  const [table, record, own] = [tableSql(model), recordSql(model), rowIdSql(model)];
  const text = sql("update ? as t set ? from ? where ? = $2", table, join(changes, ", "), record, own);
  await run(connection, [textOf(text), [recordText(model, values), id]]);
}

/** What a write sets, by field. A value that the caller can send replaces a preset. */
function valuesToSet(
  model: Model,
  { model: definition, caller }: Opened,
  sent: SentValues,
  isSet: (preset: PresetDefinition) => boolean,
): Map<string, Sql> {
  const record = columnsOfTable(model, "r");
  const set = new Map(Object.keys(sent).map((name) => [name, record(name, "stored")]));
  for (const { name, preset } of definition.fields) {
    const isSent = Object.hasOwn(sent, name) && writesField(definition, name, caller.role);
    if (preset !== undefined && isSet(preset) && !isSent) set.set(name, presetSql(preset.value, caller));
  }
  return set;
}

function presetSql(preset: Preset, { principal }: CheckCaller): Sql {
  if ("user" in preset)
    return sql("(select ?? from users where id::text = ?)", preset.user, literal(principal.user_id));
  return preset.placeholder === "now" ? sql(presetText(preset)) : literal(principal[preset.placeholder]);
}

function literal(text: string | null): Sql {
  return text === null ? sql("null") : policyValue(text);
}
