import { createHmac, createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import { ConfigError } from "../config/index.ts";
import { post } from "./post.ts";
import type { SmsSender } from "./sms.ts";

export interface WebhookOptions {
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
