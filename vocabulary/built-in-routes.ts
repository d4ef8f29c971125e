import type { AccountFeature } from "./account-features.ts";
import type { StorageOperation } from "./storage.ts";

/** The rate-limit counters of account routes. */
export type AccountCounter = "ip" | "user" | "email" | "phone";

/** A built-in route. */
export interface BuiltInRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `auth_prefix` for account routes. */
  readonly path: string;
  /** Rate-limit counters, in the order of the checks. Empty: the route has no limit. */
  readonly counters: readonly AccountCounter[];
}

/** A route with a name, by which the runtime finds its handler, or the generator its facts. */
interface NamedRoute extends BuiltInRoute {
  readonly name: string;
}

interface NamedAccountRoute extends NamedRoute {
  /** Without it the route does not exist. */
  readonly needs?: AccountFeature;
}

/** The page for testing accounts, below `auth_prefix`. It does not exist in production. */
export const signInPath = "/sign-in";

/** Account routes. */
export const accountRoutes = [
  { name: "register", method: "POST", path: "/register", counters: ["ip"] },
  { name: "login", method: "POST", path: "/login", counters: ["ip", "email"] },
  { name: "refreshToken", method: "POST", path: "/refresh-token", counters: [] },
  { name: "logout", method: "POST", path: "/logout", counters: [] },
  { name: "me", method: "GET", path: "/me", counters: [] },
  { name: "export", method: "GET", path: "/export", counters: ["user"], needs: "export" },
  { name: "deleteMe", method: "DELETE", path: "/me", counters: [], needs: "delete" },
  { name: "getCurrentUser", method: "POST", path: "/get-current-user", counters: [] },
  { name: "changePassword", method: "POST", path: "/change-password", counters: [] },
  { name: "requestVerification", method: "POST", path: "/request-verification", counters: ["email"] },
  { name: "requestResetPassword", method: "POST", path: "/request-reset-password", counters: ["email"] },
  { name: "resetPassword", method: "POST", path: "/reset-password", counters: [] },
  { name: "forgotPassword", method: "GET", path: "/forgot-password", counters: [] },
  { name: "verifyEmail", method: "GET", path: "/verify-email", counters: ["ip"] },
  { name: "generateVerificationLink", method: "POST", path: "/generate-verification-link", counters: [] },
  { name: "createApiKey", method: "POST", path: "/api-keys/create", counters: [] },
  { name: "listApiKeys", method: "GET", path: "/api-keys/list", counters: [] },
  { name: "revokeApiKey", method: "DELETE", path: "/api-keys/revoke", counters: [] },
  { name: "requestOtp", method: "POST", path: "/request-otp", counters: ["phone"] },
  { name: "verifyOtp", method: "POST", path: "/verify-otp", counters: ["phone"] },
  {
    name: "requestEmailCode",
    method: "POST",
    path: "/request-email-code",
    counters: ["email"],
    needs: "emailCodes",
  },
  {
    name: "verifyEmailCode",
    method: "POST",
    path: "/verify-email-code",
    counters: ["email"],
    needs: "emailCodes",
  },
  { name: "setupMfa", method: "POST", path: "/setup-mfa", counters: ["ip"] },
  { name: "verifyMfa", method: "POST", path: "/verify-mfa", counters: ["ip"] },
  { name: "disableMfa", method: "POST", path: "/disable-mfa", counters: ["ip"] },
  { name: "signIn", method: "GET", path: signInPath, counters: [], needs: "development" },
  { name: "listProviders", method: "GET", path: "/providers", counters: [] },
  { name: "socialLogin", method: "GET", path: "/{provider}/login", counters: [], needs: "social" },
  { name: "socialCallback", method: "GET", path: "/{provider}/callback", counters: ["ip"], needs: "social" },
  {
    name: "socialFormCallback",
    method: "POST",
    path: "/{provider}/callback",
    counters: ["ip"],
    needs: "social",
  },
  { name: "appleCallback", method: "POST", path: "/apple/callback", counters: ["ip"], needs: "social" },
  { name: "socialMobile", method: "POST", path: "/{provider}/mobile", counters: ["ip"], needs: "social" },
  { name: "verifyWebAuth", method: "POST", path: "/verify-web-auth", counters: [] },
  { name: "providersLinked", method: "GET", path: "/providers/linked", counters: [], needs: "providers" },
  {
    name: "providersLink",
    method: "POST",
    path: "/providers/{provider}/link",
    counters: ["user"],
    needs: "linking",
  },
  {
    name: "deleteProvider",
    method: "DELETE",
    path: "/providers/{provider}",
    counters: [],
    needs: "providers",
  },
  { name: "getSessions", method: "GET", path: "/sessions", counters: [], needs: "sessions" },
  { name: "deleteSessions", method: "DELETE", path: "/sessions", counters: [], needs: "sessions" },
  { name: "deleteSession", method: "DELETE", path: "/sessions/{id}", counters: [], needs: "sessions" },
  {
    name: "passkeysRegisterOptions",
    method: "POST",
    path: "/passkeys/register-options",
    counters: [],
    needs: "passkeys",
  },
  {
    name: "passkeysRegister",
    method: "POST",
    path: "/passkeys/register",
    counters: ["user"],
    needs: "passkeys",
  },
  {
    name: "passkeysLoginOptions",
    method: "POST",
    path: "/passkeys/login-options",
    counters: ["ip"],
    needs: "passkeys",
  },
  { name: "passkeysLogin", method: "POST", path: "/passkeys/login", counters: ["ip"], needs: "passkeys" },
  { name: "getPasskeys", method: "GET", path: "/passkeys", counters: [], needs: "passkeys" },
  { name: "patchPasskey", method: "PATCH", path: "/passkeys/{id}", counters: [], needs: "passkeys" },
  { name: "deletePasskey", method: "DELETE", path: "/passkeys/{id}", counters: [], needs: "passkeys" },
  { name: "changeEmail", method: "POST", path: "/change-email", counters: ["user", "email"], needs: "email" },
  { name: "deleteChangeEmail", method: "DELETE", path: "/change-email", counters: [], needs: "email" },
  { name: "getChangeEmail", method: "GET", path: "/change-email", counters: [], needs: "email" },
  {
    name: "changeEmailConfirm",
    method: "POST",
    path: "/change-email/confirm",
    counters: ["ip"],
    needs: "email",
  },
  {
    name: "acceptInvitation",
    method: "POST",
    path: "/accept-invitation",
    counters: ["ip"],
    needs: "administration",
  },
  {
    name: "getAcceptInvitation",
    method: "GET",
    path: "/accept-invitation",
    counters: [],
    needs: "administration",
  },
  { name: "getAccount", method: "GET", path: "/account", counters: [] },
  { name: "patchMe", method: "PATCH", path: "/me", counters: [], needs: "profile" },
  { name: "setPassword", method: "POST", path: "/set-password", counters: [], needs: "password" },
  { name: "deletePassword", method: "DELETE", path: "/password", counters: [], needs: "password" },
  { name: "changePhone", method: "POST", path: "/change-phone", counters: ["user", "phone"], needs: "phone" },
  {
    name: "changePhoneConfirm",
    method: "POST",
    path: "/change-phone/confirm",
    counters: ["user"],
    needs: "phone",
  },
  { name: "deletePhone", method: "DELETE", path: "/phone", counters: [], needs: "phone" },
] as const satisfies readonly NamedAccountRoute[];

/** Paths of the account routes that exist only for declared providers of social sign-in. */
export type SocialPath = Extract<
  (typeof accountRoutes)[number]["path"],
  `/{provider}/${string}` | "/apple/callback"
>;

/** Whether an account route exists only for declared providers of social sign-in. */
export function isSocialPath(path: string): path is SocialPath {
  return path.startsWith("/{provider}/") || path === "/apple/callback";
}

/** Paths that no setting changes: health routes, and the prefixes of administrators and operators. */
export const fixedPaths = {
  health: "/healthz",
  ready: "/readyz",
  admin: "/admin",
  monitoring: "/monitoring",
} as const;

/** Whether one path is equal to the other or below it, ignoring case. Such paths conflict. */
export function pathsCollide(a: string, b: string): boolean {
  const [first, second] = [`${a}/`.toLowerCase(), `${b}/`.toLowerCase()];
  return first.startsWith(second) || second.startsWith(first);
}

/** Routes that read and reset rate-limit counters. */
export const adminRoutes = [
  { name: "list", method: "GET", path: `${fixedPaths.admin}/rate-limits`, counters: [] },
  { name: "get", method: "GET", path: `${fixedPaths.admin}/rate-limits/{key}`, counters: [] },
  { name: "reset", method: "DELETE", path: `${fixedPaths.admin}/rate-limits/{key}`, counters: [] },
] as const satisfies readonly NamedRoute[];

const users = `${fixedPaths.admin}/users` as const;
const administered = { counters: [], needs: "administration" } as const;

/** Routes by which administrators manage accounts. */
export const userRoutes = [
  { name: "listUsers", method: "GET", path: users, ...administered },
  { name: "createUser", method: "POST", path: users, ...administered },
  { name: "getUser", method: "GET", path: `${users}/{id}`, ...administered },
  { name: "updateUser", method: "PATCH", path: `${users}/{id}`, ...administered },
  { name: "deleteUser", method: "DELETE", path: `${users}/{id}`, ...administered },
  { name: "listUserSessions", method: "GET", path: `${users}/{id}/sessions`, ...administered },
  { name: "inviteUser", method: "POST", path: `${users}/{id}/invite`, ...administered },
  { name: "signOutUser", method: "POST", path: `${users}/{id}/sign-out`, ...administered },
  { name: "resetUserMfa", method: "DELETE", path: `${users}/{id}/mfa`, ...administered },
] as const satisfies readonly NamedAccountRoute[];

/** A route of the storage module. */
interface FileRoute extends Pick<BuiltInRoute, "method" | "path"> {
  /** The rate-limit counter of its requests. Null: they are not counted. */
  readonly operation: StorageOperation | null;
}

/** File routes, below the slug of storage. */
export const storageRoutes = [
  { method: "POST", path: "/upload/image", operation: "upload" },
  { method: "POST", path: "/upload/file", operation: "upload" },
  { method: "DELETE", path: "/delete", operation: "delete" },
  { method: "GET", path: "/url", operation: "url" },
  { method: "GET", path: "/list", operation: "list" },
  { method: "POST", path: "/move", operation: "move" },
] as const satisfies readonly FileRoute[];

/** Routes of `storage.resumable` with a limit; clients know the others from the tus protocol. */
export const resumableRoutes = [
  { method: "POST", path: "/resumable", operation: "upload" },
] as const satisfies readonly FileRoute[];

/** The route of links to files on the server's disk. */
export const localFilesRoute = {
  method: "GET",
  path: "/files/{path}",
  operation: null,
} as const satisfies FileRoute;

/** Routes for the liveness and readiness of the process. */
export const healthRoutes = [
  { method: "GET", path: fixedPaths.health, counters: [] },
  { method: "GET", path: fixedPaths.ready, counters: [] },
] as const satisfies readonly BuiltInRoute[];

/** Routes of the monitoring module, below `/monitoring`. */
export const monitoringRoutes = [
  { method: "GET", path: "/ping" },
  { method: "GET", path: "/health" },
  { method: "GET", path: "/metrics" },
  { method: "GET", path: "/summary" },
  { method: "GET", path: "/trace/{request_id}" },
  { method: "POST", path: "/alerts/evaluate" },
  { method: "GET", path: "/requests" },
  { method: "GET", path: "/requests/timeseries" },
  { method: "GET", path: "/requests/latency-histogram" },
  { method: "GET", path: "/requests/recent" },
  { method: "GET", path: "/ai/summary" },
  { method: "GET", path: "/ai/cost-timeseries" },
  { method: "GET", path: "/ai/agents" },
  { method: "GET", path: "/ai/models" },
  { method: "GET", path: "/ai/tools" },
  { method: "GET", path: "/ai/runs" },
  { method: "GET", path: "/ai/runs/{run_id}" },
  { method: "GET", path: "/mcp/summary" },
  { method: "GET", path: "/mcp/calls" },
  { method: "GET", path: "/dashboard" },
] as const satisfies readonly Pick<BuiltInRoute, "method" | "path">[];
