import { randomUUID } from "node:crypto";
import { AfterResponse, noTrace } from "../../../core/concurrency/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { Caller } from "../../../data/operations/index.ts";
import { canonicalEmail } from "../../mail/index.ts";
import { deleteAccount } from "../administration/delete-account.ts";
import { type AdministeredUser, listUsers, readUser } from "../administration/list-users.ts";
import { type ResetMfa, resetMfa } from "../administration/reset-mfa.ts";
import { signOutUser } from "../administration/sign-out-user.ts";
import { requireValidChanges, type UserChanges, updateUser } from "../administration/update-user.ts";
import { actOnUser, recordStaffAct, type StaffOrigin, type UserAct } from "../administration/user-act.ts";
import { type SignInDetails, signInDetails } from "../administration/user-details.ts";
import { findUser, findUserByEmail, noSuchUser, type UserRow } from "../users/users-table.ts";
import { type AccountServices, type AccountsOptions, accountServices } from "./account-services.ts";

export type OperatorOptions = AccountsOptions;

const system = Object.freeze({ user_id: null, role: "system", email: null });
const address = "a command";
/** A notice does not tell where an operator was. */
const device = "an administrator";

/**
 * What operators do with accounts by commands: the acts of administrators, without ranks. `who` is an id or an
 * e-mail address. Errors: `NOT_FOUND`, and those of the acts.
 */
export class UserOperations {
  readonly #services: AccountServices;
  readonly #options: OperatorOptions;

  constructor(options: OperatorOptions) {
    this.#options = options;
    this.#services = accountServices(options);
  }

  /** Lists accounts by the parameters of `GET /admin/users`. */
  async list(parameters: Readonly<Record<string, string>>): Promise<readonly AdministeredUser[]> {
    const query = new URLSearchParams(parameters).toString();
    return (await listUsers(this.#services, this.#caller(), query)).users;
  }

  async show(who: string): Promise<AdministeredUser & { readonly sign_in: SignInDetails }> {
    const { id } = await this.#find(who);
    const user = await readUser(this.#services, this.#caller(), id);
    if (user === null) throw noSuchUser();
    return { ...user, sign_in: await signInDetails(this.#services.database, id) };
  }

  /** Returns false if the account has these values already. */
  async change(who: string, changes: Pick<UserChanges, "role" | "is_active">): Promise<boolean> {
    const services = this.#services;
    requireValidChanges(services, changes);
    const { target, result, origin } = await this.#act(who, (act) => updateUser(services, act, changes));
    if (result === null) return false;
    recordStaffAct(services, origin, "user.updated", target.id, result.fields);
    if (target.role !== result.user.role)
      services.notices.tell("user.role", target, { device, log: origin.log });
    return true;
  }

  async signOut(who: string, withKeys: boolean) {
    const services = this.#services;
    const { target, result, origin } = await this.#act(who, (act) => signOutUser(services, act, withKeys));
    recordStaffAct(services, origin, "user.signed_out", target.id);
    services.notices.tell("user.signed_out", target, { device, log: origin.log });
    return result;
  }

  async resetMfa(who: string): Promise<ResetMfa> {
    const services = this.#services;
    const { target, result, origin } = await this.#act(who, (act) => resetMfa(services, act));
    recordStaffAct(services, origin, "user.mfa_reset", target.id);
    services.notices.tell("user.mfa_reset", target, { device, log: origin.log });
    return result;
  }

  async delete(who: string): Promise<void> {
    const services = this.#services;
    const { target, origin } = await this.#act(who, ({ transaction, origin, target, principal }) =>
      deleteAccount(transaction, services, origin, target, principal),
    );
    recordStaffAct(services, origin, "user.deleted", target.id);
    services.notices.tell("user.deleted", target, { device, log: origin.log });
  }

  async #act<Result>(who: string, work: (act: UserAct) => Promise<Result>) {
    const { log, background, modules } = this.#options;
    const later = new AfterResponse(background);
    const requestId = randomUUID();
    const shared = { requestId, modules, address, trace: noTrace, later };
    const origin: StaffOrigin = {
      ...shared,
      log: log.child({ request_id: requestId }),
      caller: null,
      identify: () => {},
    };
    let isDone = false;
    try {
      const { id } = await this.#find(who);
      const acted = await actOnUser(this.#services, origin, id, work);
      isDone = true;
      return { ...acted, origin };
    } finally {
      void later.begin(!isDone);
    }
  }

  async #find(who: string): Promise<UserRow> {
    const { database } = this.#services;
    const email = canonicalEmail(who);
    const user = await (email === null ? findUser(database, who) : findUserByEmail(database, email));
    if (user === null) throw new ServiceError("NOT_FOUND", "No account has this id or e-mail address.");
    return user;
  }

  #caller(): Caller {
    const later = new AfterResponse(this.#options.background);
    const request = { requestId: randomUUID(), address, trace: noTrace, later };
    return { principal: system, ensureNotRevoked: null, ...request };
  }
}
