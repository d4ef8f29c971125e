import type { Logger } from "pino";
import type { BackgroundTasks } from "../../../core/concurrency/index.ts";
import type { LinkMail } from "../links/link-mail.ts";
import type { Device } from "../sessions/session-rows.ts";
import type { UserRow } from "../users/users-table.ts";
import { deviceText } from "./device-text.ts";

/** What a notice says, by the event. */
const sentences = {
  "password.changed": "Your password was changed",
  "password.set": "A password was set",
  "password.removed": "Your password was removed",
  "password.reset": "Your password was reset",
  "mfa.enabled": "The second factor was turned on",
  "mfa.disabled": "The second factor was turned off",
  "passkey.added": "A passkey was added",
  "passkey.removed": "A passkey was removed",
  "passkey.counter": "A passkey that can be a copy was refused",
  "provider.linked": "An account at another provider was linked",
  "provider.unlinked": "An account at another provider was unlinked",
  "phone.changed": "Your phone number was changed",
  "phone.removed": "Your phone number was removed",
  "email.changed": "Your e-mail address was changed",
  "account.deleted": "Your account was deleted",
  "user.deleted": "An administrator deleted your account",
  "user.role": "An administrator changed your role",
  "user.signed_out": "An administrator ended all of your sessions",
  "user.mfa_reset": "An administrator removed your second factor and your passkeys",
} as const;

type NoticedEvent = keyof typeof sentences;

/** Mails that are sent without `auth.security_notices` too: the owner gets no other sign of the change. */
const mailNames: Readonly<Partial<Record<NoticedEvent, "email-changed" | "account-deleted">>> = {
  "email.changed": "email-changed",
  "account.deleted": "account-deleted",
  "user.deleted": "account-deleted",
};

interface NoticeOptions {
  readonly mail: LinkMail;
  readonly background: BackgroundTasks;
  /** `auth.security_notices` */
  readonly isOn: boolean;
  /** `email.reply_to` */
  readonly replyTo: string | null;
  /** `auth.session_addresses` */
  readonly showsAddresses: boolean;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The request that changed an account. The device of an administrator is not told. */
interface NoticeOrigin {
  readonly device: Device | "an administrator";
  readonly log: Logger;
}

/**
 * Tells owners of accounts about changes of their ways to sign in. Mails go only to verified addresses, in
 * the background. They are not limited: a flood of other mails must not suppress them.
 */
export class AccountNotices {
  readonly #options: NoticeOptions;

  constructor(options: NoticeOptions) {
    this.#options = options;
  }

  /** Notices that another object mails. */
  with(mail: LinkMail): AccountNotices {
    return new AccountNotices({ ...this.#options, mail });
  }

  /** Call it after the commit. `user` is the row from before the change. `subject` is no text of a user. */
  tell(event: NoticedEvent, user: UserRow, origin: NoticeOrigin, subject: string | null = null): void {
    const { mail, background, isOn } = this.#options;
    const name = mailNames[event] ?? "account-notice";
    if (name === "account-notice" && !isOn) return;
    if (user.email === null || !user.isVerified || !mail.canSend || !mail.reaches(user.email)) return;
    const what = subject === null ? sentences[event] : `${sentences[event]}: ${subject}`;
    const change = { what, ...this.#circumstances(origin) };
    const send = () => mail.notify(name, user, (recipient) => ({ ...recipient, ...change }));
    background.run("[ACCOUNT_NOTICE]", send, origin.log);
  }

  #circumstances({ device }: NoticeOrigin) {
    const { replyTo, showsAddresses, now } = this.#options;
    return {
      time: `${new Date(now()).toISOString().slice(0, 16).replace("T", " ")} UTC`,
      device:
        typeof device === "string"
          ? device
          : deviceText(showsAddresses ? device : { ...device, address: null }),
      reply_to: replyTo,
    };
  }
}
