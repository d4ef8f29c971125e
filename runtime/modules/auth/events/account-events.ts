import type { Logger } from "pino";

/** Acts on accounts, as logs and metrics name them (docs/account.md#events). */
const eventNames = [
  "profile.updated",
  "email.change_requested",
  "email.changed",
  "phone.changed",
  "phone.removed",
  "password.set",
  "password.changed",
  "password.reset",
  "password.removed",
  "mfa.enabled",
  "mfa.disabled",
  "session.ended",
  "provider.linked",
  "provider.unlinked",
  "passkey.added",
  "passkey.renamed",
  "passkey.removed",
  "passkey.refused",
  "passkey.counter",
  "account.exported",
  "account.deleted",
  "invitation.accepted",
  "user.created",
  "user.invited",
  "user.updated",
  "user.signed_out",
  "user.mfa_reset",
  "user.deleted",
] as const;

export type AccountEventName = (typeof eventNames)[number];

/** An act on an account. It never has addresses of mail, phone numbers, codes or tokens. */
interface AccountEvent {
  readonly event: AccountEventName;
  readonly user_id: string;
  /** Null for a command. */
  readonly actor_id: string | null;
  readonly actor: "user" | "admin" | "link" | "command";
  /** The session of the actor; null if it has none. */
  readonly session_id: string | null;
  readonly address: string | null;
  /** Names of the changed fields. */
  readonly changes?: readonly string[];
}

/** Logs and counts acts on accounts. Call it after the commit. */
export class AccountEvents {
  readonly #counts = new Map<AccountEventName, number>(eventNames.map((name) => [name, 0]));

  /** By event, since the start of the process. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** `log` is that of the request, so that the line has its id. */
  record({ changes = [], ...event }: AccountEvent, log: Logger): void {
    this.#counts.set(event.event, (this.#counts.get(event.event) ?? 0) + 1);
    const isByStaff = event.actor === "admin" || event.actor === "command";
    // Monitoring keeps only lines of this level and above.
    const level = isByStaff || event.event === "passkey.counter" ? "warn" : "info";
    log[level]({ ...event, changes }, "account event");
  }
}
