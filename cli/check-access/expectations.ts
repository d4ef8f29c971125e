import pg from "pg";
import type {
  FieldDefinition,
  ModelDefinition,
  RuleDefinition,
  ServiceDefinition,
} from "#generator/definition/definition";
import type { Database, Queryable } from "#runtime/core/database/index";
import { type Preset, presetText } from "#vocabulary/fields/presets";
import type { Json } from "#vocabulary/json";
import { rowsThatHold, runtimeModels } from "../conditions/index.ts";
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

/** Ends a transaction without a commit. */
class RolledBack extends Error {}

/**
 * What the models files say about rows and callers. PostgreSQL evaluates the conditions; nothing comes from
 * `generated/`.
 */
export class Expectations {
  readonly #models;
  readonly #database: Database;
  readonly #open = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(definition: ServiceDefinition, database: Database) {
    this.#models = runtimeModels(definition);
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
    const { model } = asked;
    return this.#inRolledBack(async (connection) => {
      await run(connection, clearingSql(model, sent), [JSON.stringify(sent)]);
      const made = await insert(connection, asked, { ...filled, ...sent });
      // The service judges a new row before it is one of the rows that EXISTS finds.
      const table = "kirak_check_new";
      const apart = `create temp table ${table} on commit drop as select * from "${model.table}" where id::text = $1`;
      for (const text of [apart, `delete from "${model.table}" where id::text = $1`])
        await run(connection, text, [made]);
      return (await this.#holding(connection, { ...asked, model: { ...model, table } }, [made])).has(made);
    });
  }

  /** Whether the rules open a row after a write that sets these values, and presets of each write. */
  opensAfter(asked: Opened, id: string, sent: SentValues): Promise<boolean | null> {
    return this.#inRolledBack(async (connection) => {
      await change(connection, asked, id, sent);
      return (await this.#holding(connection, asked, [id])).has(id);
    });
  }

  async #holding(
    connection: Queryable,
    { model: { key, table }, rules, caller }: Opened,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const model = this.#models.get(key);
    if (model === undefined) throw new Error(`the definition has no model ${key}`);
    const [where, condition] = [{ connection, models: this.#models }, openCondition(rules)];
    return new Set(await rowsThatHold(where, { ...model, table }, condition, caller.principal, ids));
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

/** Removes the rows whose unique keys the record has. Its parameter is the record as JSON. */
export function clearingSql({ table, uniqueKeys }: ModelDefinition, sent: SentValues): string {
  const keys = [["id"], ...uniqueKeys.map(({ fields }) => fields)];
  const taken = keys
    .filter((fields) => fields.every((name) => sent[name] != null))
    .map((fields) => fields.map((name) => `t."${name}" = r."${name}"`).join(" and "));
  const where = taken.length === 0 ? "false" : taken.join(" or ");
  return `delete from "${table}" t using jsonb_populate_record(null::"${table}", $1::jsonb) r where ${where}`;
}

function run(connection: Queryable, text: string, values: readonly unknown[]): Promise<(string | null)[][]> {
  return connection.run({ name: null, text }, values).then((rows) => rows.map((row) => [...row]));
}

/** Inserts a row as the server does: with sent values, presets and defaults. */
async function insert(connection: Queryable, { model, caller }: Opened, values: SentValues): Promise<string> {
  const set = setColumns(model, caller, () => true, values);
  const [[id] = []] = await run(
    connection,
    `insert into "${model.table}" (${set.map(([name]) => `"${name}"`).join(", ")}) overriding system value
     select ${set.map(([, sql]) => sql).join(", ")}
     from jsonb_populate_record(null::"${model.table}", $1::jsonb) r returning id::text`,
    [JSON.stringify(values)],
  );
  return id ?? "";
}

async function change(
  connection: Queryable,
  { model, caller }: Opened,
  id: string,
  values: SentValues,
): Promise<void> {
  const set = setColumns(model, caller, ({ preset }) => preset?.on === "write", values);
  if (set.length === 0) return;
  await run(
    connection,
    `update "${model.table}" t set ${set.map(([name, sql]) => `"${name}" = ${sql}`).join(", ")}
     from jsonb_populate_record(null::"${model.table}", $1::jsonb) r where t.id::text = $2`,
    [JSON.stringify(values), id],
  );
}

/** The columns that a write sets, with their SQL. A value that the caller can send replaces a preset. */
function setColumns(
  model: ModelDefinition,
  caller: CheckCaller,
  isSet: (field: FieldDefinition) => boolean,
  sent: SentValues,
): [string, string][] {
  const presets = model.fields.flatMap((field): [string, string][] => {
    const { name, preset } = field;
    const isSent = Object.hasOwn(sent, name) && writesField(model, name, caller.role);
    return preset === undefined || !isSet(field) || isSent ? [] : [[name, presetSql(preset.value, caller)]];
  });
  return [...Object.keys(sent).map((name): [string, string] => [name, `r."${name}"`]), ...presets];
}

function presetSql(preset: Preset, { principal }: CheckCaller): string {
  if ("user" in preset)
    return `(select "${preset.user}" from users where id::text = ${quoted(principal.user_id)})`;
  if (preset.placeholder === "now") return presetText(preset);
  return quoted(principal[preset.placeholder]);
}

function quoted(text: string | null): string {
  return text === null ? "null" : `'${text.replaceAll("'", "''")}'`;
}
