import type { Mailer, MailName, MailTemplates } from "../../mail/index.ts";

const lifetimes: Readonly<Record<MailName, string>> = {
  "verify-email": "24 hours",
  "reset-password": "1 hour",
};

/** What mails with links are made with. */
export interface LinkMailOptions {
  /** Whether there is a key to sign links with. */
  readonly canSign: boolean;
  /** Null where no mail leaves the service. */
  readonly mailer: Mailer | null;
  readonly templates: MailTemplates;
  /** The name of the service. */
  readonly service: string;
  /** Of the e-mails that are made up where a provider has none: nothing is mailed there. */
  readonly placeholderDomain: string;
}

/** Whom a link is mailed to. */
export interface Recipient {
  readonly email: string | null;
  readonly firstName: string | null;
}

/** Mails links that the service has signed. */
export class LinkMail {
  readonly #options: LinkMailOptions;
  /** What keeps links from being mailed; null where nothing does. For operators: it names no secret. */
  readonly obstacle: string | null;

  constructor(options: LinkMailOptions) {
    this.#options = options;
    this.obstacle = obstacleOf(options);
  }

  /** Whether somebody may read what is mailed there: nobody can at the address that an account got for want of one. */
  reaches(email: string): boolean {
    return !email.endsWith(`@${this.#options.placeholderDomain.toLowerCase()}`);
  }

  /** Rejects where it cannot be mailed, or the provider did not take it. */
  async send(name: MailName, { email, firstName }: Recipient, link: string): Promise<void> {
    const { mailer, templates, service } = this.#options;
    if (mailer === null || email === null || !this.reaches(email))
      throw new Error("there is nobody to mail to, or no provider");
    const content = templates.render(name, {
      service,
      link,
      email,
      first_name: firstName,
      expires_in: lifetimes[name],
    });
    await mailer.send({ to: email, ...content });
  }
}

function obstacleOf({ canSign, mailer }: LinkMailOptions): string | null {
  if (!canSign) return "SERVICE_AUTH_VERIFICATION_KEY is not set";
  return mailer === null ? "email.provider is not set" : null;
}
