/** A mail to one person. Each body says the whole. */
export interface Mail {
  /** One plain address; anything else is refused. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
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
