import {
  administratorRoles,
  guestRole,
  isGroupRole,
  registeredRole,
} from "../../vocabulary/accounts/role-names.ts";
import type { ServiceDefinition } from "./definition.ts";

/** The roles of a service, sorted: those that every app has, and those that its models and routes name. */
export function serviceRoles({ models, routes }: ServiceDefinition): string[] {
  const named = models.flatMap(({ access: { operations, upsert, fields } }) => [
    ...[...Object.values(operations), upsert.insert, upsert.update].flat().map(({ role }) => role),
    ...fields.flatMap(({ read, write }) => [...(read ?? []), ...(write ?? [])]),
  ]);
  const all = [
    guestRole,
    registeredRole,
    ...administratorRoles,
    ...named,
    ...routes.flatMap(({ access }) => access),
  ];
  return [...new Set(all)].filter((role) => !isGroupRole(role)).sort();
}
