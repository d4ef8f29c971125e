import { createHmac, createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { throttle } from "../../core/concurrency/index.ts";
import { type Config, ConfigError } from "../../core/config/index.ts";
import { OutboxFolder } from "../mail/index.ts";

/** A text message to one phone number, in E.164. */
export interface Sms {
  readonly to: string;
  readonly text: string;
  /** The same in each try to send it, such as a UUID, for providers that know by it what they have taken; default a new one. */
  readonly id?: string;
}

/** What sends text messages: a provider, as the service uses it. */
export interface SmsSender {
  /** Resolves when the provider has taken the message; rejects otherwise, 10 seconds after its turn at the latest. */
  send(sms: Sms): Promise<void>;
}

const patienceMs = 10_000;

/** An answer other than 2xx; the body is the provider's. */
interface Posted {
  readonly status: number;
  readonly body: string;
}

/**
 * Posts to a provider, once: no redirect is followed, since it would carry the message and what signs it elsewhere. Errors
 * name `peer` and why, never what was sent. Gives the answer when it is no success, null when it is.
 */
async function post(
  peer: string,
  url: string,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  limitMs = patienceMs,
): Promise<Posted | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: sent.headers,
      body: sent.body,
      signal: AbortSignal.timeout(limitMs),
    });
    if (!response.ok) return { status: response.status, body: await beginning(response) };
    await response.body?.cancel();
    return null;
  } catch (error) {
    throw new Error(`${peer} could not be reached: ${reason(error)}`);
  }
}

const longestBody = 4096;

async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length >= longestBody) break;
  }
  return text.slice(0, longestBody);
}

/** The code alone: messages of fetch may repeat the URL. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : error.name;
}

interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** A number, a sender's name, or the SID of a messaging service. */
  readonly from: string;
  /** Of the API; for tests. */
  readonly origin?: string;
  /** Of one call; for tests. */
  readonly limitMs?: number;
}

const messagingService = /^MG[0-9a-f]{32}$/;

/** Sends through Twilio's REST API. Errors carry the status and Twilio's error code. */
export function twilioSender(options: TwilioOptions): SmsSender {
  const { accountSid, authToken, from, origin = "https://api.twilio.com", limitMs } = options;
  const url = `${origin}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const headers = {
    Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const sender = messagingService.test(from) ? "MessagingServiceSid" : "From";
  return {
    async send({ to, text }) {
      const body = new URLSearchParams({ To: to, [sender]: from, Body: text }).toString();
      const refusal = await post("Twilio", url, { headers, body }, limitMs);
      if (refusal === null) return;
      throw new Error(`Twilio refused the message: status ${refusal.status}${errorCode(refusal.body)}`);
    },
  };
}

/** Of Twilio's error dictionary. Its message is left out: it repeats the phone number. */
function errorCode(body: string): string {
  const code = /"code"\s*:\s*(\d{1,6})\b/.exec(body)?.[1];
  return code === undefined ? "" : `, code ${code}`;
}

interface WebhookOptions {
  readonly url: string;
  readonly secret: KeyObject;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
  /** Of one call; for tests. */
  readonly limitMs?: number;
}

/** Posts `{to, text}` to an address of the app, signed as standardwebhooks.com says. */
export function webhookSender({ url, secret, now = Date.now, limitMs }: WebhookOptions): SmsSender {
  const { username, password } = new URL(url);
  // fetch takes no such address, and its error repeats it.
  if (username !== "" || password !== "")
    throw new ConfigError(["sms.webhook_url must not hold a user name or password"], []);
  const key = signingKey(secret);
  return {
    async send({ to, text, id = randomUUID() }) {
      const body = JSON.stringify({ to, text });
      const headers = { "Content-Type": "application/json", ...signature(key, `msg_${id}`, body, now()) };
      const refusal = await post("the SMS webhook", url, { headers, body }, limitMs);
      if (refusal !== null) throw new Error(`the SMS webhook refused the message: status ${refusal.status}`);
    },
  };
}

function signature(key: KeyObject, id: string, body: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const hash = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${hash}` };
}

/** A secret in the notation of Standard Webhooks, `whsec_` and base64, stands for the bytes; any other for its own. */
function signingKey(secret: KeyObject): KeyObject {
  const text = secret.export().toString("latin1");
  const base64 = /^whsec_([A-Za-z0-9+/_-]+=*)$/.exec(text)?.[1];
  return base64 === undefined ? secret : createSecretKey(Buffer.from(base64, "base64"));
}

/** What a sender needs of the configuration. */
export type SmsConfig = Pick<Config, "root" | "production" | "sms">;

/** The sender of `sms.provider`; null where none is configured, or it lacks a setting. */
export function createSmsSender(config: SmsConfig, log: Logger): SmsSender | null {
  const sender = senderOf(config, log);
  return sender === null ? null : { send: throttle((sms: Sms) => sender.send(sms), config.sms.maxPerSecond) };
}

function senderOf(config: SmsConfig, log: Logger): SmsSender | null {
  const { provider, from, webhookUrl, webhookSecret, twilioAccountSid, twilioAuthToken } = config.sms;
  if (provider === "log") {
    if (config.production)
      log.warn("sms.provider is log: messages are written to var/kirak/outbox, not sent");
    return outboxSender(config.root, log);
  }
  if (provider === "webhook" && webhookUrl !== null && webhookSecret !== null)
    return webhookSender({ url: webhookUrl, secret: webhookSecret });
  if (provider === "twilio" && from !== null && twilioAccountSid !== null && twilioAuthToken !== null)
    return twilioSender({ accountSid: twilioAccountSid, authToken: twilioAuthToken, from });
  return null;
}

/** The provider `log`: each message becomes a text file. The log names the file alone, as the message holds a code. */
function outboxSender(root: string, log: Logger): SmsSender {
  const folder = new OutboxFolder(root);
  return {
    async send({ to, text }) {
      const file = await folder.write("txt", `To: ${to}\n\n${text}\n`);
      log.info({ file }, "text message written to the outbox");
    },
  };
}
