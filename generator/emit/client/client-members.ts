import type { DocumentedOperation, OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { operationOfModel, placedOperations } from "./document-operations.ts";

/** The object of a client that has an operation. */
export type ClientGroup =
  | "auth"
  | "account"
  | "apiKeys"
  | "sessions"
  | "passkeys"
  | "social"
  | "storage"
  | "rateLimits"
  | "users"
  | "routes"
  | "graphql";

/** Where a client has an operation: `auth` and `login` for `client.auth.login`. */
export interface ClientMember {
  readonly group: ClientGroup;
  readonly name: string;
}

/** Operations whose members do not follow from their ids; null for those without a member. */
const members: Readonly<Record<string, ClientMember | null>> = {
  authRefreshToken: { group: "auth", name: "refresh" },
  authCreateApiKey: { group: "apiKeys", name: "create" },
  authListApiKeys: { group: "apiKeys", name: "list" },
  authRevokeApiKey: { group: "apiKeys", name: "revoke" },
  authExport: { group: "account", name: "export" },
  authDeleteMe: { group: "account", name: "delete" },
  authGetSessions: { group: "sessions", name: "list" },
  authDeleteSessions: { group: "sessions", name: "endOthers" },
  authDeleteSessionsById: { group: "sessions", name: "end" },
  authGetAccount: { group: "account", name: "get" },
  authPatchMe: { group: "account", name: "update" },
  authChangeEmail: { group: "account", name: "changeEmail" },
  authDeleteChangeEmail: { group: "account", name: "cancelChangeEmail" },
  authChangeEmailConfirm: { group: "account", name: "confirmChangeEmail" },
  authChangePhone: { group: "account", name: "changePhone" },
  authChangePhoneConfirm: { group: "account", name: "confirmChangePhone" },
  authDeletePhone: { group: "account", name: "removePhone" },
  authSetPassword: { group: "account", name: "setPassword" },
  authDeletePassword: { group: "account", name: "removePassword" },
  authPasskeysRegisterOptions: { group: "passkeys", name: "registerOptions" },
  authPasskeysRegister: { group: "passkeys", name: "register" },
  authPasskeysLoginOptions: { group: "passkeys", name: "loginOptions" },
  authPasskeysLogin: { group: "passkeys", name: "login" },
  authGetPasskeys: { group: "passkeys", name: "list" },
  authPatchPasskeysById: { group: "passkeys", name: "rename" },
  authDeletePasskeysById: { group: "passkeys", name: "delete" },
  authProvidersLinked: { group: "social", name: "linked" },
  authProvidersLink: { group: "social", name: "link" },
  authDeleteProvidersByProvider: { group: "social", name: "unlink" },
  authSocialLogin: { group: "social", name: "url" },
  authSocialMobile: { group: "social", name: "mobile" },
  graphql: { group: "graphql", name: "graphql" },
  // It is `me` by another method.
  authGetCurrentUser: null,
  // Pages, and addresses that providers call.
  authForgotPasswordPage: null,
  authGetAcceptInvitation: null,
  authGetChangeEmail: null,
  authVerifyEmailPage: null,
  authSocialCallback: null,
  authSocialFormCallback: null,
  authAppleCallback: null,
  // The client gets the links of files.
  storageFile: null,
};

/** Operations that send the refresh token of the session unless the caller gives one, with the property of their body. */
export const sessionTokens: Readonly<Record<string, string>> = {
  authRefreshToken: "refreshToken",
  authLogout: "token",
};

/** Groups by the tags of their operations. Health and monitoring are for servers. */
const groups: Readonly<Record<string, { readonly group: ClientGroup; readonly prefix: string }>> = {
  accounts: { group: "auth", prefix: "auth" },
  social: { group: "social", prefix: "authSocial" },
  storage: { group: "storage", prefix: "storage" },
  users: { group: "users", prefix: "users" },
  "rate-limits": { group: "rateLimits", prefix: "rateLimits" },
  routes: { group: "routes", prefix: "" },
};

/** The member of an operation that is not of a model. Null without one. */
export function memberOf(operation: DocumentedOperation): ClientMember | null {
  const { operationId, tags } = operation;
  if (operationOfModel(operation) !== null) return null;
  const [tag] = tags;
  if (tag !== "routes" && Object.hasOwn(members, operationId)) return members[operationId] ?? null;
  const found = Object.hasOwn(groups, tag) ? groups[tag] : undefined;
  if (found === undefined) return null;
  const rest = operationId.slice(found.prefix.length);
  const name = tag === "routes" ? rest : rest.charAt(0).toLowerCase() + rest.slice(1);
  return { group: found.group, name };
}

/** Whether users list and end their sessions. Then a client can sign in again. */
export function hasSessions(document: OpenApiDocument): boolean {
  return placedOperations(document).some(({ operation }) => memberOf(operation)?.group === "sessions");
}
