import type { Config } from "../core/config/index.ts";
import type { Mailer } from "../modules/mail/index.ts";
import type { SmsSender } from "../modules/sms/index.ts";

/** A mail that would have been sent. */
export interface TestMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Null for plain text only. */
  readonly html: string | null;
}

/** A text message that would have been sent. */
export interface TestSms {
  readonly to: string;
  readonly text: string;
}

/** The captured messages and their senders. A sender is null if the manifest names no provider. */
export interface CapturedMessages {
  readonly mails: TestMail[];
  readonly texts: TestSms[];
  readonly mailer: Mailer | null;
  readonly sms: SmsSender | null;
}

/** Replaces the providers, and captures the messages. */
export function captureMessages({ email, sms }: Config): CapturedMessages {
  const mails: TestMail[] = [];
  const texts: TestSms[] = [];
  const mailer: Mailer = {
    async send({ to, subject, text, html }) {
      mails.push({ to, subject, text, html });
    },
    close() {},
  };
  const sender: SmsSender = {
    async send({ to, text }) {
      texts.push({ to, text });
    },
  };
  return {
    mails,
    texts,
    mailer: email.provider === null ? null : mailer,
    sms: sms.provider === null ? null : sender,
  };
}
