import { createHmac, createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { throttle } from "../../core/concurrency/index.ts";
import { type Config, ConfigError } from "../../core/config/index.ts";
import { OutboxFolder } from "../mail/index.ts";

export interface Sms {
  readonly to: string;
  readonly text: string;
  /** Idempotency id, the same for each attempt; default a new UUID. */
  readonly id?: string;
  /** Of the distributed trace; default none. */
  readonly traceparent?: string | null;
}

/** An SMS provider. */
export interface SmsSender {
  /** Resolves when the provider accepts the message; rejects at most 10 seconds after its turn. */
  send(sms: Sms): Promise<void>;
}

const timeoutMs = 10_000;

/** A failed response. */
interface Posted {
  readonly status: number;
  readonly body: string;
}

/** Posts once, without redirects: they could leak the message. Returns a failed response, else null. */
async function post(
  peer: string,
  url: string,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  limitMs = timeoutMs,
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

/** Only the code, because messages of fetch can contain the URL. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error;
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : error.name;
}

interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** A phone number, sender name or messaging service SID. */
  readonly from: string;
  /** Of the API; for tests. */
  readonly origin?: string;
  /** Timeout of a call; for tests. */
  readonly limitMs?: number;
}

const messagingService = /^MG[0-9a-f]{32}$/;

/** Sends with Twilio's REST API. Errors have the status and Twilio's error code. */
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

/** Twilio's error code, without its message, which contains the phone number. */
function errorCode(body: string): string {
  const code = /"code"\s*:\s*(\d{1,6})\b/.exec(body)?.[1];
  return code === undefined ? "" : `, code ${code}`;
}

interface WebhookOptions {
  readonly url: string;
  readonly secret: KeyObject;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
  /** Timeout of a call; for tests. */
  readonly limitMs?: number;
}

/** Posts `{to, text}` to the app's URL, signed as in standardwebhooks.com. */
export function webhookSender({ url, secret, now = Date.now, limitMs }: WebhookOptions): SmsSender {
  const { username, password } = new URL(url);
  // fetch rejects URLs with credentials and repeats them in its error.
  if (username !== "" || password !== "")
    throw new ConfigError(["sms.webhook_url must not hold a user name or password"], []);
  const key = signingKey(secret);
  return {
    async send({ to, text, id = randomUUID(), traceparent = null }) {
      const body = JSON.stringify({ to, text });
      const signed = signature(key, `msg_${id}`, body, now());
      const trace = traceparent === null ? {} : { traceparent };
      const headers = { "Content-Type": "application/json", ...signed, ...trace };
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

/** Decodes `whsec_` secrets (Standard Webhooks) from base64; uses others as bytes. */
function signingKey(secret: KeyObject): KeyObject {
  const text = secret.export().toString("latin1");
  const base64 = /^whsec_([A-Za-z0-9+/_-]+=*)$/.exec(text)?.[1];
  return base64 === undefined ? secret : createSecretKey(Buffer.from(base64, "base64"));
}

export type SmsConfig = Pick<Config, "root" | "production" | "sms">;

/** The sender of `sms.provider`; null if it is not configured or incomplete. */
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

/** The provider `log`: writes text files. The log only has the file name, because messages contain codes. */
function outboxSender(root: string, log: Logger): SmsSender {
  const folder = new OutboxFolder(root);
  return {
    async send({ to, text }) {
      const file = await folder.write("txt", `To: ${to}\n\n${text}\n`);
      log.info({ file }, "text message written to the outbox");
    },
  };
}
