import type { AnyTypes, ModelTypes } from "../models/index.ts";
import { namedHooks, type OnlyHooks } from "./any-hooks.ts";
import type {
  ChangedContext,
  CodeContext,
  MutationContext,
  TargetContext,
  WrittenContext,
} from "./context/index.ts";
import type { Fills } from "./fills.ts";

/** What a hook outside any transaction is told beside its value. */
export type HookContext = CodeContext;

// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement is meant to be legal
type Kept<Value> = Value | void;

/** Gets a value and returns it, changed or not; returning nothing keeps the value as it is. */
export type Hook<Value, Context = HookContext> = (
  value: Value,
  context: Context,
) => Kept<Value> | Promise<Kept<Value>>;

/** Gets a new record as it was sent. What it gives back is checked in full, so that its type need not be. */
type RecordHook<Sent> = (
  record: Sent,
  context: MutationContext,
) => Kept<Partial<Sent>> | Promise<Kept<Partial<Sent>>>;

/** What a list operation is asked for; the value of `before_fetch` and `before_search`. */
export interface ListQuery<Types extends ModelTypes> {
  where: Types["where"];
  limit?: number;
  page?: number;
  offset?: number;
  order_by?: Types["order"];
  order?: "ASC" | "DESC";
  select_fields?: Types["selection"];
  /** Of `before_search` alone. */
  search_term?: string;
}

export type Id = number | string;

export interface FailedRecord {
  index: number;
  error: string;
  message: string;
  field?: string;
  /** The name of the check of the model that the record breaks. */
  check?: string;
}

export interface BulkCreateReport {
  inserted_count: number;
  inserted_ids: Id[];
  failed_count: number;
  failed_records: FailedRecord[];
  total_attempted: number;
}

export interface BulkUpdateReport {
  updated_count: number;
  updated_ids: Id[];
  failed_count: number;
  failed_records: FailedRecord[];
  total_attempted: number;
}

/** What `delete` and `destroy` are asked to remove. */
export type Removal<Types extends ModelTypes> = { where: Types["where"] } | { ids: Id[] };

/** What `models/hooks/<model>.ts` may export: functions (contract: "Events"), and what they fill in. */
export interface Hooks<Types extends ModelTypes> {
  fills?: Fills<Types>;
  before_fetch?: Hook<ListQuery<Types>>;
  after_fetch?: Hook<Partial<Types["row"]>[]>;
  before_search?: Hook<ListQuery<Types>>;
  after_search?: Hook<Partial<Types["row"]>[]>;
  /** Required fields that hooks fill in may be missing still: the record is checked in full afterwards. */
  before_create?: RecordHook<Types["create"]>;
  after_create?: Hook<Partial<Types["row"]> | BulkCreateReport, WrittenContext<Types>>;
  before_update?: Hook<{ where: Types["where"]; data: Types["update"] }, TargetContext<Types>>;
  after_update?: Hook<{ updated_count: number; updated_ids: Id[] } | BulkUpdateReport, ChangedContext<Types>>;
  before_upsert?: RecordHook<Types["upsert"]>;
  after_upsert?: Hook<{ id?: Id }, WrittenContext<Types>>;
  before_delete?: Hook<Removal<Types>, TargetContext<Types>>;
  after_delete?: Hook<{ deleted_count: number; deleted_ids: Id[] }, ChangedContext<Types>>;
  before_destroy?: Hook<Removal<Types>, TargetContext<Types>>;
  after_destroy?: Hook<{ destroyed_count: number; destroyed_ids: Id[] }, ChangedContext<Types>>;
  before_restore?: Hook<{ where: Types["where"]; data: Types["update"] }, TargetContext<Types>>;
  after_restore?: Hook<{ restored_count: number; restored_ids: Id[] }, ChangedContext<Types>>;
}

/** The hooks of a model that is known only at run time. */
export type AnyHooks = Omit<Hooks<AnyTypes>, "fills">;

/** Takes the exports of `models/hooks/<model>.ts` as the hooks of a model. */
export function defineHooks<Known extends object>() {
  return <Exports extends OnlyHooks<Known, Exports>>(exports: Exports): AnyHooks => {
    return namedHooks(exports);
  };
}
