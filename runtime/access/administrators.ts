const administrativeRoles: ReadonlySet<string> = new Set(["admin", "system", "superadmin"]);

/** Whether a role may act for other users, and look after rate limits (contract: "Authorization summary"). */
export function isAdministrator(role: string): boolean {
  return administrativeRoles.has(role);
}
