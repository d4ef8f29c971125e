import type { MailName } from "../mail/index.ts";
import type { AccountServices } from "./account-services.ts";
import type { UserRow } from "./users/users-table.ts";

const lifetimes: Readonly<Record<MailName, string>> = {
  "verify-email": "24 hours",
  "reset-password": "1 hour",
};

/** What keeps links from being mailed; null where nothing does. For operators: it names no secret. */
export function mailObstacle({ links, mailer }: AccountServices): string | null {
  if (links === null) return "SERVICE_AUTH_VERIFICATION_KEY is not set";
  return mailer === null ? "email.provider is not set" : null;
}

/** Mails a link to the stored address of a user. Rejects where that is not possible, or the provider did not take it. */
export async function mailLink(
  { mailer, mailTemplates, config }: AccountServices,
  name: MailName,
  { email, firstName }: UserRow,
  link: string,
): Promise<void> {
  if (mailer === null || email === null) throw new Error("there is nobody to mail to, or no provider");
  const content = mailTemplates.render(name, {
    service: config.name,
    link,
    email,
    first_name: firstName,
    expires_in: lifetimes[name],
  });
  await mailer.send({ to: email, ...content });
}
