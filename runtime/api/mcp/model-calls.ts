import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { mostToolRows } from "../../../vocabulary/mcp/tool-schemas.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import { type Problem, refuseProblems } from "../../core/errors/index.ts";
import type { SuccessResponse } from "../../core/http/index.ts";
import {
  type CrudOperation,
  crud,
  type ListInput,
  type MutationResult,
  type MutationScope,
  type MutationSteps,
  mutate,
  type OperationContext,
  readFields,
  readIds,
  readListInput,
  readObject,
  readRecord,
  readWhereForm,
  refuseUnknownKeys,
  requireFilters,
  requireNarrowing,
} from "../../data/operations/index.ts";
import type { BindValue, Filter } from "../../data/sql/index.ts";
import { type FieldMentions, type Grant, grantFor, requireFields } from "../../models/access/index.ts";
import { hasId } from "../../models/index.ts";

/** A call of a tool whose arguments were checked. */
export type ModelCall = PlainCall | ConfirmedCall;

interface PlainCall {
  /** Runs the operation, and returns `structuredContent` as JSON text. */
  readonly run: () => Promise<string>;
}

/** A call to which a person must agree. */
export interface ConfirmedCall {
  /** The number of rows that the call would change, without hooks. Errors: those of the operation. */
  readonly rows: () => Promise<number>;
  /** Runs the operation. If it changes more than `most` rows, it changes none, and their number is returned. */
  readonly runUpTo: (most: number) => Promise<string | number>;
}

/**
 * Reads the arguments of a tool, and checks them as a request of REST: first the named fields, then the values. Errors: 403
 * `PERMISSION_DENIED`, 400 `VALIDATION_ERROR`.
 */
export function readModelCall(
  operation: Operation,
  call: OperationContext,
  granted: Grant,
  args: JsonObject,
): ModelCall {
  const problems: Problem[] = [];
  const reader = new ArgumentReader(call, args, problems);
  const plain = <Input extends FieldMentions>(
    input: Input,
    { run }: Pick<CrudOperation<Operation, Input>, "run">,
    shape: (answer: SuccessResponse) => string = ({ data }) => data,
  ): ModelCall => {
    const grant = checked(call, granted, input, problems);
    return { run: async () => shape(await run(call, grant, input)) };
  };
  const risky = <Input extends FieldMentions>(input: Input, steps: MutationSteps<Input>): ModelCall => {
    const grant = checked(call, granted, input, problems);
    const execute: Execute = (own, work) => steps.execute(own, grant, work, input);
    return { rows: () => rowsOf(call, execute), runUpTo: (most) => runUpTo(call, execute, most) };
  };
  switch (operation) {
    case "fetch":
      return plain(reader.list([]), crud.fetch, rowsJson);
    case "search":
      return plain(reader.list(["search_term"]), crud.search, rowsJson);
    case "count":
      return plain(reader.filter(), crud.count);
    case "exists":
      return plain(reader.filter(true), crud.exists);
    case "create":
      return plain(reader.record(), crud.create);
    case "upsert":
      return plain(reader.record(), crud.upsert);
    case "update":
      return Object.hasOwn(args, "id")
        ? plain(reader.change(), crud.update)
        : risky(reader.change(), crud.update);
    case "delete":
      return risky(reader.removal(), crud.delete);
    case "destroy":
      return risky(reader.removal(), crud.destroy);
    case "restore":
      return plain(reader.restoration(), crud.restore);
  }
}

function checked(
  call: OperationContext,
  granted: Grant,
  mentions: FieldMentions,
  problems: Problem[],
): Grant {
  requireFields(call.view, mentions);
  const grant = grantFor(granted, mentions.data);
  refuseProblems(problems);
  return grant;
}

type Execute = (call: OperationContext, work: MutationScope) => Promise<MutationResult>;

/** Rolls a write back. */
const tooManyRows = new Error("the write changes too many rows");

/** Runs a write in a transaction. If it changes more rows than `most`, it is rolled back, and their number is returned. */
async function runUpTo(call: OperationContext, execute: Execute, most: number): Promise<string | number> {
  let rows = 0;
  try {
    const { answer } = await mutate(call, true, async (work) => {
      const result = await execute(call, work);
      rows = result.ids.length;
      if (rows > most) throw tooManyRows;
      return result;
    });
    return answer.data;
  } catch (error) {
    if (error === tooManyRows) return rows;
    throw error;
  }
}

/** A write that changes no row is an error, so that this always rolls back. */
async function rowsOf(call: OperationContext, execute: Execute): Promise<number> {
  const withoutHooks = { ...call, entry: { ...call.entry, hooks: {} } };
  return Number(await runUpTo(withoutHooks, execute, 0));
}

/** `{rows, has_more, next?}` of a page. */
function rowsJson({ data, pagination }: SuccessResponse): string {
  const next = pagination !== undefined && "next" in pagination ? pagination.next : null;
  const end = next === null ? "" : `,"next":${JSON.stringify(next)}`;
  return `{"rows":${data},"has_more":${pagination?.has_more === true}${end}}`;
}

interface Change {
  readonly data: JsonObject;
  readonly filters: readonly Filter[];
}

/** Reads the arguments of tools. Adds errors to `problems`. */
class ArgumentReader {
  readonly #call: OperationContext;
  readonly #args: JsonObject;
  readonly #problems: Problem[];

  constructor(call: OperationContext, args: JsonObject, problems: Problem[]) {
    this.#call = call;
    this.#args = args;
    this.#problems = problems;
  }

  list(more: readonly string[]): ListInput {
    const { model } = this.#call;
    const paged = hasId(model);
    this.#allow(["where", "select", "order_by", "order", "limit", ...(paged ? ["after"] : []), ...more]);
    const { select, after = "start", limit, order_by, order, search_term } = this.#args;
    const most = Math.min(model.maxLimit, mostToolRows);
    if (Number(limit) > most) this.#problems.push({ field: "limit", message: `must be at most ${most}` });
    const page = paged ? { page__after: after } : { page: 1 };
    const sent = { select_fields: select, limit, order_by, order, search_term, ...page, page__total: "none" };
    const parameters = Object.entries(sent).filter(([, value]) => value !== undefined);
    return readListInput(model, this.#where(), new Map<string, unknown>(parameters), this.#problems);
  }

  filter(isRequired = false): ListInput {
    this.#allow(["where"]);
    const filters = this.#where();
    if (isRequired) requireFilters(filters, "where", this.#problems);
    return readListInput(this.#call.model, filters, new Map(), this.#problems);
  }

  record(): { readonly data: JsonObject } {
    this.#allow(["data"]);
    return { data: readRecord(this.#call.model, this.#args, "data", this.#problems) };
  }

  change(): Change {
    this.#allow(["id", "where", "data", "confirm"]);
    const { model } = this.#call;
    const data = readFields(model, this.#args, "data", this.#problems);
    if (!Object.hasOwn(this.#args, "id")) return { data, filters: this.#narrowing() };
    this.#refuseWhere("id");
    return { data, filters: readWhereForm(model, { id: { eq: this.#args["id"] } }, this.#problems) };
  }

  removal(): { readonly filters: readonly Filter[] } | { readonly ids: readonly BindValue[] } {
    this.#allow(["ids", "where", "confirm"]);
    const { model, services } = this.#call;
    if (!Object.hasOwn(this.#args, "ids")) return { filters: this.#narrowing() };
    this.#refuseWhere("ids");
    return { ids: readIds(model, this.#args["ids"], services.bulkLimit, this.#problems) };
  }

  restoration(): Change {
    this.#allow(["where"]);
    return { data: {}, filters: this.#narrowing() };
  }

  #allow(known: readonly string[]): void {
    refuseUnknownKeys(this.#call.model, this.#args, known, this.#problems);
  }

  #refuseWhere(name: string): void {
    if (Object.hasOwn(this.#args, "where"))
      this.#problems.push({ field: "where", message: `cannot be combined with ${name}` });
  }

  #where(): Filter[] {
    const { where: sent = {} } = this.#args;
    if (isJsonObject(sent) && Object.keys(sent).length === 0) return [];
    const where = readObject(this.#args, "where", this.#problems);
    return readWhereForm(this.#call.model, where, this.#problems);
  }

  #narrowing(): readonly Filter[] {
    const where = readObject(this.#args, "where", this.#problems);
    const filters = readWhereForm(this.#call.model, where, this.#problems);
    return requireNarrowing(filters, "where", this.#problems);
  }
}
