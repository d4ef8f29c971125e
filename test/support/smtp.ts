import { once } from "node:events";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll } from "vitest";

/** A mail as it arrived. */
export interface Received {
  /** Of the envelope: who it was really sent to. */
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The first link of the text. Throws if the text has no link. */
  readonly link: string;
  readonly parsed: Email;
  /** As it came over the wire. */
  readonly raw: string;
}

/** What the server does with a mail: `stall` takes the connection and never says a word. */
export type Mood = "accept" | "refuse" | "stall";

export interface TestSmtp {
  /** For `SERVICE_SMTP_URL`. */
  readonly url: string;
  /** All so far. */
  readonly mails: readonly Received[];
  /** The credentials of the last login, as `user:password`. */
  readonly login: string | null;
  mood: Mood;
  /** The text of a refusal with `refusalCode`, by default 550. */
  refusal: string;
  refusalCode: number;
  /** The oldest mail to this address that was not asked for yet; waits for it up to 30 seconds. */
  next(to: string): Promise<Received>;
}

const patienceMs = 30_000;

/** A real SMTP server on a free port of the loopback interface, closed after the test file. */
export async function testSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const mails: Received[] = [];
  const seen = new Set<Received>();
  const arrivals = new EventTarget();
  const state = {
    mood: "accept" as Mood,
    refusal: "not today",
    refusalCode: 550,
    login: null as string | null,
  };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 10,
    ...options,
    onConnect(_session, go) {
      if (state.mood !== "stall") go();
    },
    onAuth({ username, password }, _session, done) {
      state.login = `${username}:${password}`;
      done(null, { user: username });
    },
    onData(stream, { envelope }, done) {
      const { mailFrom, rcptTo } = envelope;
      const to = rcptTo.map(({ address }) => address);
      collect(stream)
        .then(async (raw) => {
          if (state.mood === "refuse")
            throw Object.assign(new Error(state.refusal), { responseCode: state.refusalCode });
          mails.push(await received(mailFrom === false ? "" : mailFrom.address, to, raw));
          arrivals.dispatchEvent(new Event("mail"));
        })
        .then(() => done(), done);
    },
  });
  server.on("error", () => {});
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
  const address = listener.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `${options.secure === true ? "smtps" : "smtp"}://127.0.0.1:${port}`,
    mails,
    get login() {
      return state.login;
    },
    get mood() {
      return state.mood;
    },
    get refusal() {
      return state.refusal;
    },
    set refusal(refusal) {
      state.refusal = refusal;
    },
    get refusalCode() {
      return state.refusalCode;
    },
    set refusalCode(code) {
      state.refusalCode = code;
    },
    set mood(mood) {
      state.mood = mood;
    },
    async next(to) {
      const signal = AbortSignal.timeout(patienceMs);
      for (;;) {
        const found = mails.find((mail) => !seen.has(mail) && mail.to.includes(to));
        if (found !== undefined) {
          seen.add(found);
          return found;
        }
        await arrival(
          arrivals,
          signal,
          `no mail to ${to}; there were ${mails.map((mail) => mail.to).join()}`,
        );
      }
    },
  };
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

async function received(from: string, to: readonly string[], raw: Buffer): Promise<Received> {
  const parsed = await PostalMime.parse(raw);
  const { subject = "", text = "", html = "" } = parsed;
  return {
    to,
    from,
    subject,
    text,
    html,
    parsed,
    raw: raw.toString("latin1"),
    get link() {
      const link = /https?:\/\/\S+/.exec(text)?.[0];
      if (link === undefined) throw new Error(`there is no link in: ${text}`);
      return link;
    },
  };
}

async function arrival(arrivals: EventTarget, signal: AbortSignal, problem: string): Promise<void> {
  await once(arrivals, "mail", { signal }).catch(() => {
    throw new Error(problem);
  });
}

/** A self-signed certificate for 127.0.0.1, valid for a hundred years. Its key protects nothing. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqdKHKNcQ2lG5BDbs
b7RhrmYGeSh1cVuM7kc2jv8QDhKhRANCAAT48iDJ+r8Ld3buIEbCordbveh1OgmB
nOu5klc91Hos3YFSZ+LZEy3zSrbUsMnamYgisKV62vFwIc3rMHLW7MVb
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIURZG95vAXjcZhVwEUSxaK8lPOdT0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTE2MDU1M1oYDzIxMjYxMDI4
MTYwNTUzWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT48iDJ+r8Ld3buIEbCordbveh1OgmBnOu5klc91Hos3YFSZ+LZEy3z
SrbUsMnamYgisKV62vFwIc3rMHLW7MVbo2QwYjAdBgNVHQ4EFgQUChgf4Itk0uUI
NEkv62sr6JGhVFUwHwYDVR0jBBgwFoAUChgf4Itk0uUINEkv62sr6JGhVFUwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IQCg+0mjN/BVXWtwl/pjfetF3LUpkjBgj2jlQA6qwKHnjQIgH9hqYWXEROvDypq/
QLnKGPrKsZNVL8TvGY4Ut2SQF3g=
-----END CERTIFICATE-----`,
};
