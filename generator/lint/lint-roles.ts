import {
  administratorRoles,
  everyRole,
  guestRole,
  registeredRole,
  selfRole,
  signedInRole,
} from "../../vocabulary/accounts/role-names.ts";
import { editDistance } from "../../vocabulary/nearest.ts";
import type { FieldDefinition } from "../definition/definition.ts";
import type { Sources } from "../diagnostics/index.ts";
import { usersKey } from "../load/built-in-users.ts";
import type { Located } from "../load/read.ts";
import type { LintContext } from "./lint-context.ts";

/** Code about accounts can assign roles. */
const aboutAccounts = /\b(users?|accounts?)\b/i;

/** A text in quotes, in TypeScript or SQL. */
const quoted = /(["'`])([^"'`\n\\]{1,64})\1/g;

/**
 * Roles that the project's code could assign: each string that is not compared, in files about accounts. This is a guess that
 * prefers too many roles to too few.
 */
export function rolesGivenIn(code: Sources): ReadonlySet<string> {
  const texts = [...code.values()].filter((text) => aboutAccounts.test(text));
  return new Set(texts.flatMap(givenIn));
}

function givenIn(text: string): string[] {
  return [...text.matchAll(quoted)].flatMap(({ index, 0: whole, 2: found = "" }) => {
    const before = /([=!]=|\bcase)\s*$/.test(text.slice(Math.max(0, index - 10), index));
    const after = /^\s*[=!]=/.test(text.slice(index + whole.length, index + whole.length + 10));
    return before || after ? [] : [found];
  });
}

/** Roles that always exist. */
const known = [guestRole, registeredRole, signedInRole];

/** Roles that accounts can have without code: operators assign the administrator roles, with `create-admin` or SQL. */
const had = new Set([...known, everyRole, selfRole, ...administratorRoles]);

/** Shorter names are often similar by chance. */
const shortest = 4;

/** The positions of each role. */
type Places = ReadonlyMap<string, readonly Located<string>[]>;

/** Finds roles that no credential has. */
export function lintRoles(context: LintContext): void {
  const places = placesOf(context);
  const mistyped = lintSimilar(places, context);
  const given = rolesGivenIn(context.code);
  for (const [role, uses] of places)
    if (!had.has(role) && !mistyped.has(role) && !given.has(role)) noteUngiven(role, uses, context);
}

function placesOf({ graph, routes }: LintContext): Places {
  const places = new Map<string, Located<string>[]>(known.map((role) => [role, []]));
  const ofModels = [...graph.values()].flatMap(({ raw }) => {
    const gates = raw.access.fields.flatMap(({ read, write }) => [...(read ?? []), ...(write ?? [])]);
    const rules = [...raw.access.operations.values()].flatMap((entry) => entry.rules.map(({ role }) => role));
    return [...rules, ...gates];
  });
  for (const role of [...ofModels, ...routes.flatMap(({ access }) => access.roles)]) {
    const uses = places.get(role.value) ?? [];
    uses.push(role);
    places.set(role.value, uses);
  }
  return places;
}

/** Reports a role with only one position that differs from another role by one typo. Returns these roles. */
function lintSimilar(places: Places, { report }: LintContext): ReadonlySet<string> {
  const found = new Set<string>();
  const usual = [...places].filter(([role, uses]) => known.includes(role) || uses.length > 1);
  for (const [role, [only, ...more]] of places) {
    if (only === undefined || more.length > 0 || known.includes(role)) continue;
    const near = usual.find(([other]) => isNear(role, other));
    if (near === undefined) continue;
    found.add(role);
    const message = `the role ${JSON.stringify(role)} is used only here, and looks like ${JSON.stringify(near[0])}`;
    report("similar-roles", only.at, message, `write ${JSON.stringify(near[0])}, if that is meant`);
  }
  return found;
}

function isNear(role: string, other: string): boolean {
  if (role === other || Math.min(role.length, other.length) < shortest) return false;
  return editDistance(role.toLowerCase(), other.toLowerCase()) <= 1;
}

/** Reports each role once. A `lint_ignore` at any of its positions silences it. */
function noteUngiven(role: string, uses: readonly Located<string>[], context: LintContext): void {
  const [first, ...others] = uses;
  if (first === undefined) return;
  const message = `nothing in this project assigns the role ${JSON.stringify(role)} to an account; new accounts have "${registeredRole}"`;
  const also = others.map(({ at }) => at);
  context.report("role-nobody-has", first.at, message, advice(role, context), also);
}

function refersToUser({ name, foreignKey }: FieldDefinition): boolean {
  return name === "user_id" || foreignKey?.model === usersKey;
}

/** A common mistake is to use a role within a team, which is in a row, as the role of an account. */
function advice(role: string, { definition: { models } }: LintContext): string {
  for (const { key, builtIn, fields } of models) {
    const member = builtIn ? undefined : fields.find(refersToUser);
    const field = fields.find(({ enum: allowed }) => allowed?.includes(role) === true);
    if (member !== undefined && field !== undefined)
      return `"${role}" is a value of "${field.name}" in "${key}", not the role of an account: use EXISTS (… WHERE ${member.name} = {user_id} AND ${field.name} = '${role}')`;
  }
  return `if npm run create-admin -- --role ${role} or SQL assigns it, say so in "lint_ignore"`;
}
