import type { DeclaredErrors } from "../../vocabulary/error-codes.ts";
import { type FillingHook, fillsExport } from "../../vocabulary/hook-names.ts";
import type { Trace } from "../core/concurrency/index.ts";
import { ServiceError } from "../core/errors/index.ts";
import type { AnyTypes, ModelTypes } from "../models/index.ts";
import {
  type AppCalls,
  type ChangedContext,
  type CodeContext,
  type MutationContext,
  type TargetContext,
  thrownByApp,
  type WrittenContext,
  withCalls,
} from "./context/index.ts";

/** Every export of a hook file must be a hook; a name that is none does not compile. */
export type OnlyHooks<Known, Exports> = {
  readonly [Name in keyof Exports]: Name extends keyof Known
    ? Known[Name] & (Name extends typeof fillsExport ? NoOthers<Known[Name], Exports[Name]> : unknown)
    : never;
};

/** No key but those of a type that has them all optional: a misspelt one would go unseen. */
type NoOthers<Type, Exported> = {
  readonly [Key in Exclude<keyof Exported, keyof NonNullable<Type>>]: never;
};

/** The hooks that a hook file exports, by name, each named so itself: one function may be several hooks, and messages and traces name them. */
export function namedHooks(exports: object): Record<string, unknown> {
  const hooks = Object.entries(exports).filter(([name]) => name !== fillsExport);
  return Object.fromEntries(hooks.map(([name, hook]) => [name, named(name, hook)]));
}

function named(name: string, hook: unknown): unknown {
  if (typeof hook !== "function" || hook.name === name) return hook;
  return { [name]: (...sent: unknown[]): unknown => Reflect.apply(hook, undefined, sent) }[name];
}

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

/** What `models/hooks/<model>.ts` may export: functions, and what they fill in. */
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

/**
 * The export `fills` of a hook file: required fields that a before-hook fills in, so that callers need not
 * send them, and no others may be missing. The generator reads it.
 */
export type Fills<Types extends ModelTypes> = {
  readonly [Hook in FillingHook]?: readonly (keyof Types[CreationOf<Hook>])[];
};

type CreationOf<Hook extends FillingHook> =
  Hook extends `before_${infer Creation extends "create" | "upsert"}` ? Creation : never;

/** 500 `INTERNAL_ERROR` for what a hook gave back and may not; the reason is for the log alone. */
export function hookFault(
  { name }: { readonly name: string },
  reason: string,
  cause?: unknown,
): ServiceError {
  const called = name === "" ? "a hook" : `the hook ${name}`;
  return new ServiceError("INTERNAL_ERROR", undefined, undefined, {
    cause: new Error(`${called} gave back ${reason}`, { cause }),
  });
}

/** What a hook is run in. */
export interface HookScope<Context> {
  readonly trace: Trace;
  /** The app's own, which hooks may throw. */
  readonly errors: DeclaredErrors;
  /** Makes what the hook of that name is told beside its value, where there is one, with the calls that it makes. */
  readonly context: (hook: string, calls: AppCalls) => Context;
}

/**
 * Gives a value to a hook; one that returns nothing leaves it as it is, changed in place or not. What it throws becomes a
 * `ServiceError`.
 */
export async function runHook<Value, Context>(
  hook: Hook<Value, Context> | undefined,
  value: Value,
  { trace, errors, context }: HookScope<Context>,
): Promise<Value> {
  if (hook === undefined) return value;
  const step = trace.begin(`hook:${hook.name}`);
  try {
    const result = await withCalls(`the hook ${hook.name}`, (calls) =>
      hook(value, context(hook.name, calls)),
    );
    return result === undefined ? value : result;
  } catch (error) {
    throw thrownByApp(error, errors);
  } finally {
    trace.end(step);
  }
}
