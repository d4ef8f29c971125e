import { randomUUID } from "node:crypto";
import { ServiceError } from "../../core/errors/index.ts";
import type { AppCodeScope, AppMail, AppSms, PlainMail, TemplateMail } from "../../hooks/context/index.ts";
import type { NewJob } from "../jobs/index.ts";
import { canonicalEmail, type MailContent, type MailTemplates, oneLine } from "../mail/index.ts";
import { phoneNumberOf } from "../sms/index.ts";
import { attempts, mailJob, smsJob } from "./message-jobs.ts";

/** Enqueues a message, in the transaction if there is one. */
export type EnqueueMessage = (scope: AppCodeScope, job: NewJob) => Promise<unknown>;

/** A message as a job; `payload` is JSON. */
function messageInQueue(name: string, payload: string): NewJob {
  return { name, payload, attempts, runAt: null, key: null, queue: null };
}

export interface MailForCodeOptions {
  /** Whether a provider is configured. */
  readonly hasProvider: boolean;
  /** In production, mail without a provider is an error. */
  readonly production: boolean;
  readonly templates: MailTemplates;
  /** Domain of generated e-mail addresses, which get no mail. */
  readonly placeholderDomain: string;
  readonly enqueue: EnqueueMessage;
}

/** `context.mail`. Renders at once, with the transaction's data; later deployments need no template. */
export function mailForCode(options: MailForCodeOptions): (scope: AppCodeScope) => AppMail {
  const { hasProvider, production, templates, placeholderDomain, enqueue } = options;
  return (scope) => ({
    async send(mail) {
      const { log } = scope.origin;
      const to = recipientOf(mail.to);
      const payload = JSON.stringify({ id: randomUUID(), to, ...contentOf(mail, templates) });
      if (to.endsWith(`@${placeholderDomain.toLowerCase()}`))
        log.warn("a mail is not sent: its address is the placeholder of an account without an e-mail");
      else if (!hasProvider && production)
        throw new ServiceError("HTTP_ERROR", "This service sends no mails.", undefined, { status: 503 });
      else if (!hasProvider) log.warn("a mail is not sent: email.provider is not set");
      else await enqueue(scope, messageInQueue(mailJob, payload));
    },
  });
}

/** Without the value: error messages reach logs. */
function recipientOf(to: unknown): string {
  const address = typeof to === "string" ? canonicalEmail(to) : null;
  if (address === null) throw new Error("`to` of a mail must be one e-mail address");
  return address;
}

function contentOf(mail: TemplateMail | PlainMail, templates: MailTemplates): MailContent {
  const given: Readonly<Record<string, unknown>> = { ...mail };
  if (given["template"] !== undefined)
    return templates.renderAppMail(textOf(given, "template"), given["data"]);
  return {
    subject: oneLine(textOf(given, "subject")),
    text: textOf(given, "text"),
    html: given["html"] === undefined ? null : textOf(given, "html"),
  };
}

function textOf(mail: Readonly<Record<string, unknown>>, key: string): string {
  const text = mail[key];
  if (typeof text !== "string") throw new Error(`\`${key}\` of a mail must be a string`);
  return text;
}

export interface SmsForCodeOptions {
  /** Whether a provider is configured. */
  readonly hasProvider: boolean;
  readonly enqueue: EnqueueMessage;
}

/** `context.sms`, inside or outside of a transaction. */
export function smsForCode({ hasProvider, enqueue }: SmsForCodeOptions): (scope: AppCodeScope) => AppSms {
  return (scope) => ({
    async send({ to, text }: { readonly to: unknown; readonly text: unknown }) {
      const number = typeof to === "string" ? phoneNumberOf(to) : null;
      if (number === null)
        throw new Error("`to` of a text message must be a phone number in international notation");
      if (typeof text !== "string" || text === "")
        throw new Error("`text` of a text message must be a string that is not empty");
      if (!hasProvider)
        throw new ServiceError("HTTP_ERROR", "This service sends no text messages.", undefined, {
          status: 503,
        });
      const payload = JSON.stringify({ id: randomUUID(), to: number, text });
      await enqueue(scope, messageInQueue(smsJob, payload));
    },
  });
}
