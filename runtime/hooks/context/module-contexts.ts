import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { Savepoint } from "../../core/database/index.ts";
import type { Registered } from "../../core/errors/index.ts";
import type { Jobs, PayloadOf } from "./database-types.ts";

export type JobName = keyof Jobs & string;

export interface EnqueueOptions {
  /** The earliest start; default now. */
  readonly run_at?: Date | string;
  /** If a job of this name and key is waiting, it gets this payload and time; no second one is added. */
  readonly key?: string;
}

/** `context.jobs`. */
export interface AppJobs {
  /**
   * Adds a job, as part of the transaction if there is one, and returns its id. Throws if the payload does
   * not fit its schema.
   */
  enqueue<Name extends JobName>(
    name: Name,
    payload: PayloadOf<Jobs[Name]>,
    options?: EnqueueOptions,
  ): Promise<string>;
  /**
   * Removes the waiting job of this name and key, as part of the transaction if there is one. Returns whether
   * there was one. A running job continues.
   */
  cancel(name: JobName, key: string): Promise<boolean>;
}

/** A value in a mail template. */
export type MailValue = string | number | bigint | boolean;

type AnyMails = Readonly<Record<string, Readonly<Record<string, MailValue | null | undefined>>>>;
/** An app that registers models has only the mails that it registers. */
type WithoutMails = Registered<"models", null> extends null ? AnyMails : Readonly<Record<never, never>>;

/** The values of the app's mails by template; any if it registers none. */
export type Mails = Registered<"mails", WithoutMails>;

/** A template without required values needs no `data`. */
type DataOf<Values> = object extends Values ? { readonly data?: Values } : { readonly data: Values };

/** A mail from templates in `models/mails/`. */
export type TemplateMail = {
  readonly [Template in keyof Mails]: {
    /** One plain address. */
    readonly to: string;
    readonly template: Template;
  } & DataOf<Mails[Template]>;
}[keyof Mails];

/** A mail with texts from app code. */
export interface PlainMail {
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly template?: never;
}

/** Mails of the app. */
export interface AppMail {
  /**
   * Sends a mail by a job: after the commit, with retries. Throws for an invalid address, an unknown
   * template, or a missing value.
   */
  send(mail: TemplateMail | PlainMail): Promise<void>;
}

/** Text messages of the app. */
export interface AppSms {
  /**
   * Sends a text message by a job, like a mail. `to` is a phone number with its country code. Errors: 503
   * `HTTP_ERROR` without a provider.
   */
  send(message: { readonly to: string; readonly text: string }): Promise<void>;
}

/** One run of an AI agent, without prompts and generated text. */
export interface AiRun {
  /** Replaces an earlier record with this id. Default: a new id. */
  readonly run_id?: string;
  readonly agent: string;
  readonly model: string;
  readonly provider: string;
  readonly status: "completed" | "failed" | "pending_approval";
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number;
  readonly duration_ms: number;
  readonly turns: number;
  readonly error_code?: string;
  readonly conversation_id?: string;
  readonly user_id?: string | number;
  readonly tool_calls?: readonly {
    readonly tool: string;
    readonly duration_ms: number;
    readonly status: "completed" | "failed" | "pending_approval";
    readonly error_message?: string;
  }[];
}

/** One tool call over MCP. */
export interface McpCall {
  readonly server: string;
  readonly tool: string;
  readonly operation_ref?: string;
  readonly caller?: string;
  readonly status: "ok" | "error" | "asked";
  readonly error_code?: string;
  readonly confirmation?: string;
  readonly duration_ms: number;
}

/**
 * The monitoring module for hooks. Its methods return at once and never throw; malformed values are dropped
 * with a warning in the log. If the module is off, the methods do nothing.
 */
export interface HookMonitoring {
  aiRun(run: AiRun): void;
  mcpCall(call: McpCall): void;
}

export type MonitoringForHooks = (log: Logger) => HookMonitoring;

/** A stored file. */
export interface PutFile {
  url: string;
  /** The last segment of its path. */
  filename: string;
  /** In bytes. */
  size: number;
  mime_type: string;
}

/**
 * The storage module for hooks, without access rules (docs/storage.md#files-in-hooks). Errors: those of the
 * routes; if the module is off, each method throws.
 */
export interface HookStorage {
  /**
   * Stores a file; replaces one only with `overwrite`. In a mutation, a rollback removes a new file, and an
   * existing file is replaced after the commit.
   */
  put(
    path: string,
    data: string | Uint8Array | Readable,
    options?: { readonly overwrite?: boolean },
  ): Promise<PutFile>;
  /**
   * A URL, even if the file does not exist. It is valid for `expires` seconds; below a public prefix it does
   * not expire.
   */
  url(path: string, options?: { readonly expires?: number }): Promise<string>;
  /** Removes a file, if it exists; in a mutation after the commit. */
  remove(path: string, options?: { readonly with_thumbnails?: boolean }): Promise<void>;
}

/** `part` is the savepoint of the hook; null outside a transaction. */
export type StorageForHooks = (part: Savepoint | null, log: Logger) => HookStorage;
