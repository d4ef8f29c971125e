import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { Savepoint } from "../../core/database/index.ts";
import type { Registered } from "../../core/errors/service-error.ts";
import type { Jobs, PayloadOf } from "./database-types.ts";

export type JobName = keyof Jobs & string;

export interface EnqueueOptions {
  /** Not before; default at once. */
  readonly run_at?: Date | string;
  /** A job of that name with that key which waits gets this payload and time, and no second one is made. */
  readonly key?: string;
}

/** `context.jobs`. */
export interface AppJobs {
  /**
   * Has a job run later: part of the transaction, if there is one. Gives its id. Throws where the payload does not fit its schema, which
   * is a mistake of the code that asks.
   */
  enqueue<Name extends JobName>(
    name: Name,
    payload: PayloadOf<Jobs[Name]>,
    options?: EnqueueOptions,
  ): Promise<string>;
  /**
   * Removes the waiting job of that name with that key: part of the transaction, if there is one. Says whether there was one. A job that
   * runs goes on.
   */
  cancel(name: JobName, key: string): Promise<boolean>;
}

/** What a template may be filled in with. */
export type MailValue = string | number | bigint | boolean;

type AnyMails = Readonly<Record<string, Readonly<Record<string, MailValue | null | undefined>>>>;
/** An app that registers models has no mails but those that it registers. */
type WithoutMails = Registered<"models", null> extends null ? AnyMails : Readonly<Record<never, never>>;

/** The values of the app's mails by template; of any where it registers none. */
export type Mails = Registered<"mails", WithoutMails>;

/** A template that needs no value needs no `data`. */
type DataOf<Values> = object extends Values ? { readonly data?: Values } : { readonly data: Values };

/** A mail that templates in `models/mails/` make. */
export type TemplateMail = {
  readonly [Template in keyof Mails]: {
    /** One plain address. */
    readonly to: string;
    readonly template: Template;
  } & DataOf<Mails[Template]>;
}[keyof Mails];

/** A mail whose texts code makes. */
export interface PlainMail {
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly template?: never;
}

/** Mails of one's own. */
export interface AppMail {
  /**
   * Has a mail sent by a job: after the commit, not without it, and again where the provider does not take it. Throws for an address that is
   * none, a template that there is not, and a value that the template needs and does not get.
   */
  send(mail: TemplateMail | PlainMail): Promise<void>;
}

/** Text messages of one's own. */
export interface AppSms {
  /**
   * Has a text message sent by a job, like a mail. `to` is one phone number with its country code. Errors: 503 `HTTP_ERROR` where
   * no provider is set.
   */
  send(message: { readonly to: string; readonly text: string }): Promise<void>;
}

/** What an AI agent did in one run. No prompt, and nothing of what it wrote, has a place here. */
export interface AiRun {
  /** Recorded again, it replaces what was recorded of that run. Default a new one. */
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

/** One call of a tool over MCP. */
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
 * The monitoring module in hooks. Both return at once and never throw; what is malformed is dropped with a
 * warning in the log. Where the module is off they do nothing.
 */
export interface HookMonitoring {
  aiRun(run: AiRun): void;
  mcpCall(call: McpCall): void;
}

/** The monitoring module for hooks, with the log of what they run for. */
export type MonitoringForHooks = (log: Logger) => HookMonitoring;

/** What a hook has stored. */
export interface PutFile {
  url: string;
  /** The last segment of its path. */
  filename: string;
  /** In bytes. */
  size: number;
  mime_type: string;
}

/**
 * The storage module in hooks, with the service's rights (docs/storage.md#files-in-hooks). What the routes would refuse throws the same
 * `ServiceError`; where the module is off each method throws.
 */
export interface HookStorage {
  /** Stores a file, and replaces one only with `overwrite`. In a mutation a rollback removes a new file; a file is replaced after the commit. */
  put(
    path: string,
    data: string | Uint8Array | Readable,
    options?: { readonly overwrite?: boolean },
  ): Promise<PutFile>;
  /** A link, whether there is such a file or not. It lasts for `expires` seconds; below a public prefix it lasts. */
  url(path: string, options?: { readonly expires?: number }): Promise<string>;
  /** Removes a file, if there is one. In a mutation that happens after the commit, and a rollback leaves it. */
  remove(path: string, options?: { readonly with_thumbnails?: boolean }): Promise<void>;
}

/** The storage of hooks that run in a part of a transaction, or outside any, with the log of what they run for. */
export type StorageForHooks = (part: Savepoint | null, log: Logger) => HookStorage;
