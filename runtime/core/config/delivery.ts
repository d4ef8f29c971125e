import type { KeyObject } from "node:crypto";
import type { Variables } from "./environment-variables.ts";
import type { Manifest } from "./manifest.ts";
import { checkSecret, secretKey } from "./secret-keys.ts";

/** How the service sends mails. */
export interface EmailSettings {
  /** Null: no mails are sent. */
  readonly provider: "smtp" | "log" | null;
  /** With or without a name: `Book shop <no-reply@example.com>`. */
  readonly from: string;
  readonly replyTo: string | null;
  /** Set for the provider `smtp`. */
  readonly smtpUrl: string | null;
  /** For this process; null for no limit. */
  readonly maxPerSecond: number | null;
  /** Mails of the account routes to one recipient. */
  readonly hourlyLimitPerRecipient: number;
}

/** How the service sends text messages, with the settings of the provider. */
export interface SmsSettings {
  /** Null: one-time codes are not available. */
  readonly provider: "twilio" | "webhook" | "log" | null;
  readonly from: string | null;
  readonly webhookUrl: string | null;
  readonly webhookSecret: KeyObject | null;
  readonly twilioAccountSid: string | null;
  readonly twilioAuthToken: string | null;
  /** For this process; null for no limit. */
  readonly maxPerSecond: number | null;
  /** Messages of the account routes for one client address. */
  readonly hourlyLimitPerAddress: number;
}

/** The settings of e-mail and their secrets. Adds missing settings of the provider to `problems`. */
export function readEmail(
  { email }: Manifest,
  variables: Variables,
  baseUrl: string,
  problems: string[],
): EmailSettings {
  const provider = email.provider ?? null;
  const smtpUrl = variables["SERVICE_SMTP_URL"] || null;
  if (provider === "smtp" && smtpUrl === null)
    problems.push('SERVICE_SMTP_URL is not set, and email.provider "smtp" needs it');
  if (smtpUrl !== null && !/^smtps?:\/\/./.test(smtpUrl))
    problems.push("SERVICE_SMTP_URL must be a URL that begins with smtp:// or smtps://");
  return {
    provider,
    from: email.from ?? `no-reply@${new URL(baseUrl).hostname}`,
    replyTo: email.reply_to ?? null,
    smtpUrl,
    maxPerSecond: email.max_per_second ?? null,
    hourlyLimitPerRecipient: email.hourly_limit_per_recipient,
  };
}

/** The settings of text messages and their secrets. Adds missing settings of the provider to `problems`. */
export function readSms({ sms }: Manifest, variables: Variables, problems: string[]): SmsSettings {
  const provider = sms.provider ?? null;
  const secret = variables["SERVICE_SMS_WEBHOOK_SECRET"] || null;
  const settings = {
    provider,
    from: sms.from ?? null,
    webhookUrl: sms.webhook_url ?? null,
    webhookSecret: secret === null ? null : secretKey(secret),
    twilioAccountSid: variables["SERVICE_TWILIO_ACCOUNT_SID"] || null,
    twilioAuthToken: variables["SERVICE_TWILIO_AUTH_TOKEN"] || null,
    maxPerSecond: sms.max_per_second ?? null,
    hourlyLimitPerAddress: sms.hourly_limit_per_address,
  };
  const need = (name: string, value: unknown) => {
    if (value === null) problems.push(`${name} is not set, and sms.provider "${provider}" needs it`);
  };
  if (provider === "twilio") {
    need("SERVICE_TWILIO_ACCOUNT_SID", settings.twilioAccountSid);
    need("SERVICE_TWILIO_AUTH_TOKEN", settings.twilioAuthToken);
    need("sms.from", settings.from);
  }
  if (provider === "webhook") {
    need("sms.webhook_url", settings.webhookUrl);
    need("SERVICE_SMS_WEBHOOK_SECRET", settings.webhookSecret);
    checkSecret("SERVICE_SMS_WEBHOOK_SECRET", secret, problems);
  }
  return settings;
}
