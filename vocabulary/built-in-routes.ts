import type { StorageOperation } from "./storage.ts";

/** The counters of account routes. */
export type AccountCounter = "ip" | "email" | "phone";

/** A route of the service itself. */
export interface BuiltInRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `auth_prefix` for account routes. */
  readonly path: string;
  /** In the order of the checks. Empty: the route has no limit. */
  readonly counters: readonly AccountCounter[];
}

/** The page for testing accounts, below `auth_prefix`. It does not exist in production. */
export const signInPath = "/sign-in";

/** Routes of the accounts. */
export const accountRoutes = [
  { method: "POST", path: "/register", counters: ["ip"] },
  { method: "POST", path: "/login", counters: ["ip", "email"] },
  { method: "POST", path: "/refresh-token", counters: [] },
  { method: "POST", path: "/logout", counters: [] },
  { method: "GET", path: "/me", counters: [] },
  { method: "POST", path: "/get-current-user", counters: [] },
  { method: "POST", path: "/change-password", counters: [] },
  { method: "POST", path: "/request-verification", counters: ["email"] },
  { method: "POST", path: "/request-reset-password", counters: ["email"] },
  { method: "POST", path: "/reset-password", counters: [] },
  { method: "GET", path: "/forgot-password", counters: [] },
  { method: "GET", path: "/verify-email", counters: ["ip"] },
  { method: "POST", path: "/generate-verification-link", counters: [] },
  { method: "POST", path: "/api-keys/create", counters: [] },
  { method: "GET", path: "/api-keys/list", counters: [] },
  { method: "DELETE", path: "/api-keys/revoke", counters: [] },
  { method: "POST", path: "/request-otp", counters: ["phone"] },
  { method: "POST", path: "/verify-otp", counters: ["phone"] },
  { method: "POST", path: "/setup-mfa", counters: ["ip"] },
  { method: "POST", path: "/verify-mfa", counters: ["ip"] },
  { method: "POST", path: "/disable-mfa", counters: ["ip"] },
  { method: "GET", path: signInPath, counters: [] },
  { method: "GET", path: "/providers", counters: [] },
  { method: "GET", path: "/{provider}/login", counters: [] },
  { method: "GET", path: "/{provider}/callback", counters: ["ip"] },
  { method: "POST", path: "/{provider}/callback", counters: ["ip"] },
  { method: "POST", path: "/apple/callback", counters: ["ip"] },
  { method: "POST", path: "/{provider}/mobile", counters: ["ip"] },
  { method: "POST", path: "/verify-web-auth", counters: [] },
] as const satisfies readonly BuiltInRoute[];

/** Paths that no setting changes: health routes, and the prefixes of administrators and operators. */
export const fixedPaths = {
  health: "/healthz",
  ready: "/readyz",
  admin: "/admin",
  monitoring: "/monitoring",
} as const;

/** Whether one path is equal to the other or below it, in any case. Such paths conflict. */
export function pathsCollide(a: string, b: string): boolean {
  const [first, second] = [`${a}/`.toLowerCase(), `${b}/`.toLowerCase()];
  return first.startsWith(second) || second.startsWith(first);
}

/** Routes that read and reset rate-limit counters. */
export const adminRoutes: readonly BuiltInRoute[] = [
  { method: "GET", path: `${fixedPaths.admin}/rate-limits`, counters: [] },
  { method: "GET", path: `${fixedPaths.admin}/rate-limits/{key}`, counters: [] },
  { method: "DELETE", path: `${fixedPaths.admin}/rate-limits/{key}`, counters: [] },
];

/** A route of the storage module. */
interface FileRoute extends Pick<BuiltInRoute, "method" | "path"> {
  /** The counter of its requests. Null: they are not counted. */
  readonly operation: StorageOperation | null;
}

/** File routes, below the slug of storage. */
export const storageRoutes: readonly FileRoute[] = [
  { method: "POST", path: "/upload/image", operation: "upload" },
  { method: "POST", path: "/upload/file", operation: "upload" },
  { method: "DELETE", path: "/delete", operation: "delete" },
  { method: "GET", path: "/url", operation: "url" },
  { method: "GET", path: "/list", operation: "list" },
];

/** The route of links to files on the server's disk. */
export const localFilesRoute: FileRoute = { method: "GET", path: "/files/{path}", operation: null };

/** Routes that say whether the process is up and ready. */
export const healthRoutes: readonly BuiltInRoute[] = [
  { method: "GET", path: fixedPaths.health, counters: [] },
  { method: "GET", path: fixedPaths.ready, counters: [] },
];

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
