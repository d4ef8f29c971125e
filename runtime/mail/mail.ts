/** What a mail says. Each body says the whole. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  /** Null for plain text alone. */
  readonly html: string | null;
}

/** A mail to one person. */
export interface Mail extends MailContent {
  /** One plain address; anything else is refused. */
  readonly to: string;
  /** The same in each try to send it, such as a UUID, for its `Message-ID`; default a new one. */
  readonly id?: string;
}

/** What sends mails: a provider, as the service uses it. */
export interface Mailer {
  /** Resolves when the provider has taken the mail; rejects otherwise, 10 seconds after its turn at the latest. */
  send(mail: Mail): Promise<void>;
  /** Ends idle connections at once, busy ones after their mail. */
  close(): void;
}

/** A text as one line without control characters or marks that turn the direction of what follows. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
}
