import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { wrongPasswordCounterKey } from "../../../../../vocabulary/rate-limits.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import { shareOf } from "../../../../models/access/index.ts";
import { requirePassed } from "../../../rate-limit/index.ts";
import { withPassword } from "../../passwords/password-queue.ts";
import { requireConfirmed } from "../../passwords/password-rules.ts";
import { requireActiveSession } from "../../sessions/caller.ts";
import { revokeSessions } from "../../sessions/revocation.ts";
import { voidPendingChanges } from "../../users/pending-changes.ts";
import { findUser, noSuchCaller, storePassword, type UserRow } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";
import { recordOwnAct } from "../record-event.ts";

/** The limit of wrong current passwords for a user. */
const wrongPasswords = { maxRequests: 10, windowSeconds: 15 * 60 };

/**
 * `POST /auth/change-password`: sets the password and ends all sessions; API keys stay. The current password
 * is sufficient proof, so a session from before another change is accepted. Errors: `VALIDATION_ERROR`,
 * `WEAK_PASSWORD`, `INVALID_CREDENTIALS`, `NOT_FOUND`, `RATE_LIMIT_EXCEEDED`, and with the right password
 * `TOKEN_REVOKED`, `ACCOUNT_INACTIVE`.
 */
export async function changePassword(
  sent: AccountBody<"changePassword">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services } = call;
  requireConfirmed(sent);
  await services.passwordRules.require(sent.new_password, "new_password", null);
  const { alwaysOn: limiter } = services.limits;
  const wrongOnes = wrongPasswordCounterKey(call.caller.sub);
  const share = shareOf({ user_id: call.caller.sub }, call.address);
  const changed = await withPassword(services, {
    password: sent.current_password,
    share,
    // Counts before it compares, so that parallel requests get no extra tries.
    beforeCompare: async () => requirePassed(await limiter.take(wrongOnes, wrongPasswords)),
    find: async () => requireUser(await findUser(services.database, call.caller.sub)),
    prepare: async (user) => {
      await limiter.reset(wrongOnes);
      await services.passwordRules.require(sent.new_password, "new_password", user);
      return services.passwords.hash(sent.new_password, share);
    },
    work: async (transaction, user, hash) => {
      await requireActiveSession(transaction, services, user, call.caller);
      await storePassword(transaction, user.id, hash, services.now());
      await revokeSessions(transaction, user.id);
      await voidPendingChanges(transaction, user.id);
      return user;
    },
  });
  if (changed === null) throw wrongPassword();
  await revokeAccessToken(call);
  recordOwnAct(call, "password.changed");
  services.notices.tell("password.changed", changed, call);
  return { message: "password changed", data: {} };
}

function requireUser(user: UserRow | null): UserRow {
  if (user === null) throw noSuchCaller();
  return user;
}

function wrongPassword(): ServiceError {
  return new ServiceError("INVALID_CREDENTIALS", "The current password is wrong.", {
    field: "current_password",
  });
}

/** Logs a failure instead of throwing: the password is already changed. */
async function revokeAccessToken({ services, caller, log }: AccountRequest): Promise<void> {
  try {
    await services.blacklist.add([caller]);
  } catch (error) {
    log.error({ err: error }, "the password was changed, but the access token was not revoked");
  }
}
