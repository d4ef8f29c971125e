import { selfRole } from "../../../../vocabulary/accounts/role-names.ts";
import { isUserField } from "../../../../vocabulary/accounts/user-fields.ts";
import { isRuntimeColumn } from "../../../../vocabulary/fields/runtime-columns.ts";
import { isJsonObject, type JsonObject } from "../../../../vocabulary/json.ts";
import type { Queryable } from "../../../core/database/index.ts";
import { refuseProblems, ServiceError } from "../../../core/errors/index.ts";
import { parseStored } from "../../../core/text/index.ts";
import { databaseProblem } from "../../../data/operations/index.ts";
import {
  bareColumns,
  bindFields,
  type CheckedRecord,
  columnList,
  join,
  PlanCache,
  plan,
  requestValue,
  requireStorable,
  responseValues,
  rowWriter,
  sql,
  storedForm,
  tableSql,
} from "../../../data/sql/index.ts";
import { guest, isFor, type Policy } from "../../../models/access/index.ts";
import { columnsOf, type Model, type RecordSchema, type Validators } from "../../../models/index.ts";
import { recordProblems } from "../../../models/validation/index.ts";

/** The model of the accounts, with the columns that the app adds. */
export interface UsersModel {
  readonly users: Model;
  /** Of the model, only the rules of fields count here. */
  readonly policy: Policy;
  readonly validators: Validators;
}

/** Who reads or writes the columns of an account: its owner, or a caller who administers it. */
export interface ColumnUser {
  /** For an owner, the role of the account. */
  readonly role: string;
  readonly isOwner: boolean;
}

/** The built-in columns that the owner of an account can write by `PATCH /auth/me`. */
const names: readonly string[] = ["first_name", "last_name"];

/**
 * The columns that an app adds to `users`: who reads and writes them by `access.fields`, and their values. A
 * column without `read` is read by no role, and one without `write` is written by none.
 */
export class AppColumns {
  readonly #model: UsersModel;
  readonly #hash: (password: string, share: string) => Promise<string>;
  readonly #plans = new PlanCache();
  readonly #own: readonly string[];
  /** The JSON Schemas of all columns. */
  readonly all: RecordSchema["properties"];
  /** The JSON Schemas of the columns that the owner of an account can write. */
  readonly ofOwner: RecordSchema["properties"];

  /** `hash` hashes the values of password columns. */
  constructor(model: UsersModel, hash: (password: string, share: string) => Promise<string>) {
    this.#model = model;
    this.#hash = hash;
    this.#own = [...columnsOf(model.users).keys()].filter(
      (name) => !isUserField(name) && !isRuntimeColumn(name),
    );
    this.all = this.#schemasOf(this.#own);
    this.ofOwner = this.#schemasOf(this.writtenBy({ role: selfRole, isOwner: true }));
  }

  /** Names of the columns that a caller reads. No one reads a password. */
  readBy({ role, isOwner }: ColumnUser): string[] {
    const { users, policy } = this.#model;
    const columns = columnsOf(users);
    return this.#own.filter((name) => {
      const readers = policy.fields[name]?.read ?? [];
      const isReader = (isOwner && readers.includes(selfRole)) || readers.some((one) => isRole(one, role));
      return isReader && columns.get(name)?.kind !== "password";
    });
  }

  /** Names of the columns that a caller writes. */
  writtenBy({ role, isOwner }: ColumnUser): string[] {
    return this.#own.filter((name) => {
      const writers = this.#model.policy.fields[name]?.write ?? [];
      return isOwner ? writers.includes(selfRole) : writers.some((one) => isRole(one, role));
    });
  }

  #schemasOf(names: readonly string[]): RecordSchema["properties"] {
    const { properties } = this.#model.validators.update;
    return Object.fromEntries(names.flatMap((name) => entryOf(properties, name)));
  }

  /** Refuses columns that an administrator with this role cannot write: 403 `PERMISSION_DENIED`. */
  requireWritable(sent: object, role: string): void {
    const writable = this.writtenBy({ role, isOwner: false });
    const refused = this.#own.find((name) => Object.hasOwn(sent, name) && !writable.includes(name));
    if (refused === undefined) return;
    throw new ServiceError("PERMISSION_DENIED", `The role ${role} cannot write "${refused}" of accounts.`);
  }

  /** The values of a checked body for columns that the app adds, as hooks see them. */
  valuesIn(body: object): CheckedRecord {
    const { users } = this.#model;
    const sent = Object.fromEntries(Object.entries(body).filter(([name]) => this.#own.includes(name)));
    requireStorable(users, sent);
    return responseValues(users, sent);
  }

  /** Splits values into those of columns that the app adds, and the others. */
  split(values: Readonly<Record<string, unknown>>): {
    readonly added: JsonObject;
    readonly others: JsonObject;
  } {
    const entries = Object.entries(values);
    const isAdded = ([name]: [string, unknown]) => this.#own.includes(name);
    return {
      added: Object.fromEntries(entries.filter(isAdded)),
      others: Object.fromEntries(entries.filter((entry) => !isAdded(entry))),
    };
  }

  /** The values of columns of an account, as in responses. Errors: `UnsupportedValue`. */
  async valuesOf(connection: Queryable, userId: string, columns: readonly string[]): Promise<JsonObject> {
    if (columns.length === 0) return {};
    const { users } = this.#model;
    const { statement, bind } = this.#plans.of(`read ${columns.join()}`, () =>
      plan(
        sql(
          "select ? from ? where id = ?",
          columnList(columns, bareColumns(users)),
          tableSql(users),
          requestValue(0, users.id),
        ),
      ),
    );
    const [row] = await connection.run(statement, bind([userId], guest));
    const values: unknown = row === undefined ? {} : parseStored(rowWriter(users, columns)(row));
    return isJsonObject(values) ? values : {};
  }

  /**
   * Writes names and columns that the app adds. Returns the changes that it wrote: it drops those of other
   * columns, which only a hook can have added. The user's row must be locked. `share` is that of the password
   * queue. Errors: 400 `VALIDATION_ERROR` with `details.field`, also for a conflict.
   */
  async write(
    transaction: Queryable,
    userId: string,
    changes: JsonObject,
    share: string,
  ): Promise<CheckedRecord> {
    const { users, validators } = this.#model;
    const written = Object.fromEntries(
      Object.entries(changes).filter(([name]) => names.includes(name) || this.#own.includes(name)),
    );
    refuseProblems(recordProblems(validators.update, written, "partial"));
    const fields = Object.keys(written).sort();
    if (fields.length === 0) return written;
    const stored = await storedForm(users, written, (password) => this.#hash(password, share));
    const { statement, bind } = this.#plans.of(`write ${fields.join()}`, () => this.#update(fields));
    try {
      await transaction.run(statement, bind([userId, ...bindFields(users, stored, fields)], guest));
    } catch (error) {
      throw databaseProblem(error, users);
    }
    return written;
  }

  #update(fields: readonly string[]) {
    const { users } = this.#model;
    const columns = columnsOf(users);
    const column = bareColumns(users);
    const values = fields.map((name, index) =>
      sql("? = ?", column(name), requestValue(index + 1, columns.get(name)?.kind ?? "text")),
    );
    const set = join(values, ", ");
    return plan(
      sql("update ? set ?, updated_at = now() where id = ?", tableSql(users), set, requestValue(0, users.id)),
    );
  }
}

/** Whether a name in a list of roles admits a caller with this role. */
function isRole(listed: string, role: string): boolean {
  return listed !== selfRole && isFor(listed, { user_id: "", role });
}

function entryOf(properties: RecordSchema["properties"], name: string): [string, object][] {
  const schema = properties[name];
  return schema === undefined ? [] : [[name, schema]];
}
