import { listSessions } from "../../../sessions/session-rows.ts";
import { sessionIdOf } from "../../../tokens/token-ids.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/** `GET /auth/sessions`: the caller's sessions, the last used one first. */
export async function getSessions(_: null, { services, caller }: AccountRequest): Promise<AuthAnswer> {
  const current = sessionIdOf(caller.jti);
  const rows = await listSessions(services.database, caller.sub);
  const sessions = rows.map(({ id, ...row }) => ({ id, current: id === current, ...row }));
  return { message: "sessions", data: { sessions } };
}
