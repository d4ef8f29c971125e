import { createSecretKey } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { Sms } from "#runtime/modules/sms/index";
import type { Settings } from "./any-service.ts";
import { listening } from "./listening.ts";

/** A provider of text messages, for the calling test file. */
export interface TestSms {
  /** For `testService`. */
  readonly settings: NonNullable<Settings["sms"]>;
  /** What it has taken, in order. */
  readonly sent: Sms[];
  /** The headers of these requests. */
  readonly headers: IncomingHttpHeaders[];
  /** What it answers from now on. */
  status: number;
  /** The code of the last message to a number. */
  codeOf(phone: string): string;
}

/** A real HTTP server behind the provider `webhook`. */
export async function testSms(): Promise<TestSms> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (sms.status === 200) {
      sms.sent.push(JSON.parse(Buffer.concat(parts).toString()));
      sms.headers.push(request.headers);
    }
    response.writeHead(sms.status).end();
  });
  const origin = await listening(server);
  const sms: TestSms = {
    settings: {
      provider: "webhook",
      webhookUrl: `${origin}/`,
      webhookSecret: createSecretKey(Buffer.from("a secret of the webhook, 32 bytes at least")),
      // The tests of one file send more than a client does in an hour.
      hourlyLimitPerAddress: 1_000_000,
    },
    sent: [],
    headers: [],
    status: 200,
    codeOf(phone) {
      const text = sms.sent.findLast(({ to }) => to === phone)?.text ?? "";
      return /\b\d{6}\b/.exec(text)?.[0] ?? "";
    },
  };
  return sms;
}
