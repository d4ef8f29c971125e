import { appRoles, unknownRole } from "#generator/cli/read-document";
import { kinds } from "#runtime/data/sql/index";
import { guest, type Principal } from "#runtime/models/access/index";
import { WrongArguments } from "./explanation.ts";
import type { ExplainedApp } from "./subject.ts";

/** The caller that is explained. */
export interface AskingCaller {
  /** For messages: "user 7 (role user)". */
  readonly name: string;
  readonly principal: Principal;
  /** Why the service refuses each request of this caller. */
  readonly note: string | null;
}

const prefixLength = 11;

const columns = "users.id, users.role, users.email, users.is_active";

/** Reads the caller of `--as`. Errors: WrongArguments for an unknown role, user or key. */
export async function askingCaller(as: string, app: ExplainedApp): Promise<AskingCaller> {
  if (as === guest.role) return { name: "a guest", principal: guest, note: null };
  const [, kind, who = ""] = /^(user|key):(.*)$/s.exec(as) ?? [];
  if (kind === "user") return ofUser(who, app);
  if (kind === "key") return ofKey(who.slice(0, prefixLength), app);
  const roles = appRoles(app.definition);
  if (!roles.includes(as))
    throw new WrongArguments(`${unknownRole(as, roles)}. --as also takes user:<id> and key:<prefix>`);
  // With a credential, so that rules for `signed_in` apply; an empty claim is NULL.
  return { name: `the role ${as}`, principal: { user_id: "", role: as, email: null }, note: null };
}

async function ofUser(id: string, { connection }: ExplainedApp): Promise<AskingCaller> {
  const found =
    kinds.bigint.parse(id) === undefined
      ? []
      : await connection.run({ name: null, text: `select ${columns} from users where id = $1` }, [id]);
  return callerOf(
    found[0],
    `there is no user ${id}; for a token without an account, name its role: --as <role>`,
  );
}

async function ofKey(prefix: string, { connection }: ExplainedApp): Promise<AskingCaller> {
  const text = `select ${columns}, key.expires_at > now() from auth_tokens as key join users on users.id = key.user_id
    where key.token_type = 'api_key' and key.key_prefix = $1`;
  const found = await connection.run({ name: null, text }, [prefix]);
  if (found.length > 1)
    throw new WrongArguments(`${found.length} API keys begin with ${prefix}: use user:<id>`);
  const caller = callerOf(found[0], `there is no API key that begins with ${prefix}`);
  const note = found[0]?.[4] === "t" ? caller.note : "the API key has expired: each request is 401";
  return { ...caller, note };
}

function callerOf(row: readonly (string | null)[] | undefined, missing: string): AskingCaller {
  const [id, role, email = null, active] = row ?? [];
  if (id == null || role == null) throw new WrongArguments(missing);
  const note = active === "t" ? null : "the account is not active: each request is 401";
  return { name: `user ${id} (role ${role})`, principal: { user_id: id, role, email }, note };
}
