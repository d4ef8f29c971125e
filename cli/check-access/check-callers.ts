import { appRoles } from "#generator/cli/read-document";
import type { ModelDefinition, ServiceDefinition } from "#generator/definition/definition";
import type { Principal } from "#runtime/models/access/index";
import type { SentAs, TestService } from "#runtime/testing/index";
import { coversRole, guestRole, registeredRole } from "#vocabulary/accounts/role-names";
import { usesCaller } from "./model-access.ts";

/** A caller of the check. */
export interface CheckCaller {
  /** As reports name it: `guest`, `staff`, `another staff`. */
  readonly name: string;
  readonly role: string;
  readonly principal: Principal;
  readonly as: SentAs;
  /** Whether it is the second user of its role, for whom no rows are made. */
  readonly isStranger: boolean;
}

export const guestCaller: CheckCaller = {
  name: guestRole,
  role: guestRole,
  principal: { user_id: null, role: guestRole, email: null },
  as: null,
  isStranger: false,
};

/** The usual roles, and those that rules, gates and routes name. Other roles of administrators have no rights in models. */
export function rolesToAsk(definition: ServiceDefinition, chosen: readonly string[]): readonly string[] {
  const { models, routes } = definition;
  const named = JSON.stringify([models.map(({ access }) => access), routes.map(({ access }) => access)]);
  const isKnown = (role: string) => usualRoles.includes(role) || named.includes(JSON.stringify(role));
  const all = appRoles(definition).filter((role) => role !== guestRole && isKnown(role));
  return chosen.length === 0 ? all : all.filter((role) => chosen.includes(role));
}

const usualRoles: readonly string[] = [registeredRole, "admin"];

/** The callers to ask about a model: a second user of a role only if rules for the role use the caller. */
export function callersOf({ access }: ModelDefinition, callers: readonly CheckCaller[]): CheckCaller[] {
  const rules = [...Object.values(access.operations), access.upsert.insert, access.upsert.update].flat();
  return callers.filter(
    ({ isStranger, role }) =>
      !isStranger || rules.some((rule) => coversRole(rule.role, role) && usesCaller(rule.condition)),
  );
}

/** A guest, and two users of each role. */
export async function makeCallers(service: TestService, roles: readonly string[]): Promise<CheckCaller[]> {
  const callers: CheckCaller[] = [];
  for (const role of roles)
    for (const isStranger of [false, true]) {
      const name = isStranger ? `another ${role}` : role;
      const email = `${name.replaceAll(/\W+/g, "-")}@check-access.example`;
      const { user_id } = await service.createUser({ role, email });
      callers.push(callerOf(service, name, { user_id: String(user_id), role, email }, isStranger));
    }
  return [...callers, guestCaller];
}

function callerOf(
  service: TestService,
  name: string,
  principal: Principal,
  isStranger: boolean,
): CheckCaller {
  const { user_id, role, email } = principal;
  const token = service.token({ role, user_id: Number(user_id), email });
  return { name, role, principal, as: { token }, isStranger };
}

/** By user id: the known callers, and those that were made because a condition uses columns of the caller. */
export function callersOfRows(
  service: TestService,
  known: readonly CheckCaller[],
  rows: readonly { readonly caller: Principal }[],
): Map<string | null, CheckCaller> {
  const callers = new Map(known.map((caller) => [caller.principal.user_id, caller]));
  for (const { caller } of rows)
    if (!callers.has(caller.user_id))
      callers.set(caller.user_id, callerOf(service, `${caller.role} ${caller.user_id}`, caller, false));
  return callers;
}
