import { Readable } from "node:stream";
import { exportedParts } from "../../export/export-account.ts";
import { lockRecentCaller } from "../../sessions/recent-sign-in.ts";
import { asPrincipal } from "../../users/users-table.ts";
import type { AccountRequest, Download } from "../account-route.ts";
import { recordOwnAct } from "../record-event.ts";

/** `GET /auth/export`: the data of the caller's account. Errors: those of `lockRecentCaller`. */
export async function exportAccount(call: AccountRequest): Promise<Download> {
  const { services, caller, requestId, address, trace, later } = call;
  const user = await services.database.transaction((transaction) =>
    lockRecentCaller(transaction, services, caller),
  );
  recordOwnAct(call, "account.exported");
  // What counts is the role of the account, as for the rest of the export.
  const reader = { principal: asPrincipal(user), ensureNotRevoked: null, requestId, address, trace, later };
  const data = Readable.from(exportedParts(services, reader, user));
  return { message: "export", name: `account-${user.id}.json`, data };
}
