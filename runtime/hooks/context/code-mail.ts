import type { Registered } from "../../core/errors/service-error.ts";

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

/** Mails of one's own (decisions, part 13). */
export interface CodeMail {
  /**
   * Has a mail sent by a job: after the commit, not without it, and again where the provider does not take it. Throws for an address that is
   * none, a template that there is not, and a value that the template needs and does not get.
   */
  send(mail: TemplateMail | PlainMail): Promise<void>;
}

/** Text messages of one's own (decisions, part 13). */
export interface CodeSms {
  /**
   * Has a text message sent by a job, like a mail. `to` is one phone number with its country code. Errors: 503 `HTTP_ERROR` where
   * no provider is set.
   */
  send(message: { readonly to: string; readonly text: string }): Promise<void>;
}
