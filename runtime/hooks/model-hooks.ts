import type { DeclaredErrors } from "../../vocabulary/error-codes.ts";
import { type FillingHook, fillsExport } from "../../vocabulary/hook-names.ts";
import { asStep, type Trace } from "../core/concurrency/index.ts";
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

/** Exports of a hook file that are not hooks do not compile. */
export type OnlyHooks<Known, Exports> = {
  readonly [Name in keyof Exports]: Name extends keyof Known
    ? Known[Name] & (Name extends typeof fillsExport ? NoOthers<Known[Name], Exports[Name]> : unknown)
    : never;
};

/** Rejects unknown keys: all keys of the type are optional, so a misspelt one would be ignored. */
type NoOthers<Type, Exported> = {
  readonly [Key in Exclude<keyof Exported, keyof NonNullable<Type>>]: never;
};

/**
 * The hooks of a file. Each function gets the name of its hook for messages and traces, because one function
 * can be exported as several hooks.
 */
export function namedHooks(exports: object): Record<string, unknown> {
  const hooks = Object.entries(exports).filter(([name]) => name !== fillsExport);
  return Object.fromEntries(hooks.map(([name, hook]) => [name, named(name, hook)]));
}

function named(name: string, hook: unknown): unknown {
  if (typeof hook !== "function" || hook.name === name) return hook;
  return { [name]: (...sent: unknown[]): unknown => Reflect.apply(hook, undefined, sent) }[name];
}

/** The context of a hook outside a transaction. */
export type HookContext = CodeContext;

// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement is meant to be legal
type Returned<Value> = Value | void;

/** Returns the value, changed or not; if it returns nothing, the value stays. */
export type Hook<Value, Context = HookContext> = (
  value: Value,
  context: Context,
) => Returned<Value> | Promise<Returned<Value>>;

/** Gets a new record as sent. The result is fully validated, so its type can be incomplete. */
type RecordHook<Sent> = (
  record: Sent,
  context: MutationContext,
) => Returned<Partial<Sent>> | Promise<Returned<Partial<Sent>>>;

/** The value of `before_fetch` and `before_search`. */
export interface ListQuery<Types extends ModelTypes> {
  where: Types["where"];
  limit?: number;
  page?: number;
  offset?: number;
  order_by?: Types["order"];
  order?: "ASC" | "DESC";
  select_fields?: Types["selection"];
  /** Only for `before_search`. */
  search_term?: string;
}

export type Id = number | string;

export interface FailedRecord {
  index: number;
  error: string;
  message: string;
  field?: string;
  /** The model's check that the record violates. */
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

/** The rows of a `delete` or `destroy`. */
export type Removal<Types extends ModelTypes> = { where: Types["where"] } | { ids: Id[] };

/** The exports of `models/hooks/<model>.ts`. */
export interface Hooks<Types extends ModelTypes> {
  fills?: Fills<Types>;
  before_fetch?: Hook<ListQuery<Types>>;
  after_fetch?: Hook<Partial<Types["row"]>[]>;
  before_search?: Hook<ListQuery<Types>>;
  after_search?: Hook<Partial<Types["row"]>[]>;
  /** Required fields can be missing: the record is fully validated afterwards. */
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

/** Checks the exports of `models/hooks/<model>.ts`. */
export function defineHooks<Known extends object>() {
  return <Exports extends OnlyHooks<Known, Exports>>(exports: Exports): AnyHooks => {
    return namedHooks(exports);
  };
}

/**
 * The export `fills`: required fields that a before-hook fills in, so that callers need not send them. The
 * generator reads it.
 */
export type Fills<Types extends ModelTypes> = {
  readonly [Hook in FillingHook]?: readonly (keyof Types[CreationOf<Hook>])[];
};

type CreationOf<Hook extends FillingHook> =
  Hook extends `before_${infer Creation extends "create" | "upsert"}` ? Creation : never;

/** 500 `INTERNAL_ERROR` for an invalid result of a hook, with the reason in the log. */
export function hookFault(
  { name }: { readonly name: string },
  reason: string,
  cause?: unknown,
): ServiceError {
  const called = name === "" ? "a hook" : `the hook ${name}`;
  return new ServiceError("INTERNAL_ERROR", undefined, undefined, {
    cause: new Error(`${called} returned ${reason}`, { cause }),
  });
}

export interface HookScope<Context> {
  readonly trace: Trace;
  /** The app's error codes. */
  readonly errors: DeclaredErrors;
  /** Makes the context of a hook, with its calls. */
  readonly context: (hook: string, calls: AppCalls) => Context;
}

/**
 * Runs a hook. If it returns nothing, the value stays, possibly changed in place. Its errors become
 * `ServiceError`s.
 */
export async function runHook<Value, Context>(
  hook: Hook<Value, Context> | undefined,
  value: Value,
  { trace, errors, context }: HookScope<Context>,
): Promise<Value> {
  if (hook === undefined) return value;
  try {
    const run = (calls: AppCalls) => hook(value, context(hook.name, calls));
    const result = await asStep(trace, `hook:${hook.name}`, () => withCalls(`the hook ${hook.name}`, run));
    return result === undefined ? value : result;
  } catch (error) {
    throw thrownByApp(error, errors);
  }
}
