import { administratorRoles, coversRole, isGroupRole } from "../../../vocabulary/accounts/role-names.ts";
import type { DocumentSchema, Entries, Part } from "../../../vocabulary/openapi/document.ts";
import type {
  FieldAccessDefinition,
  FieldDefinition,
  ModelDefinition,
  ServiceDefinition,
} from "../../definition/definition.ts";
import { addedToUsers } from "../views/users-extension.ts";
import { ownUser } from "./account-schemas.ts";
import { declared, valueSchema } from "./field-schemas.ts";

/** The schemas of the columns of the app in bodies: those that the owner of an account writes, and all. */
export function columnsInBodies(service: Models): Readonly<Record<"owner" | "all", Entries<Part>>> {
  const columns = columnsOf(service);
  return {
    owner: Object.fromEntries(columns.filter(({ access }) => access.owner?.writes).map(inputOf)),
    all: Object.fromEntries(columns.map(inputOf)),
  };
}

function inputOf({ field }: AddedColumn): readonly [name: string, schema: Part] {
  const schema = {
    ...valueSchema(field, "input"),
    ...declared({ description: field.description }),
    ...(field.kind === "password" && { writeOnly: true }),
  };
  return [field.name, schema];
}

/** The columns of the app that administrators read in accounts of others. Each is optional. */
export function administeredColumns(service: Models): readonly FieldDefinition[] {
  return columnsOf(service)
    .filter(({ field: { kind }, access: { read } }) => kind !== "password" && isReadByStaff(read))
    .map(({ field }) => field);
}

function isReadByStaff(read: FieldAccessDefinition["read"]): boolean {
  return read?.some((role) => administratorRoles.some((staff) => coversRole(role, staff))) === true;
}

/** The user of `GET /auth/account`. A column that only some roles read is optional. */
export function ownUserSchema(service: Models): DocumentSchema {
  const shown = columnsOf(service).filter(
    ({ field: { kind }, access: { read, owner } }) =>
      kind !== "password" && (owner?.reads === true || read?.length !== 0),
  );
  const optional = shown.filter(({ access }) => !isAlwaysShown(access)).map(({ field }) => field.name);
  const properties = shown.map(({ field, access }) => [
    field.name,
    {
      ...valueSchema(field, "answer"),
      ...declared({ description: field.description }),
      ...(isAlwaysShown(access) ? {} : declared({ "x-kirak-read": access.read })),
    },
  ]);
  return ownUser(Object.fromEntries(properties), optional);
}

function isAlwaysShown({ read, owner }: FieldAccessDefinition): boolean {
  return owner?.reads === true || read?.some((role) => isGroupRole(role)) !== false;
}

type Models = Pick<ServiceDefinition, "models">;

interface AddedColumn {
  readonly field: FieldDefinition;
  readonly access: FieldAccessDefinition;
}

function columnsOf({ models }: Models): AddedColumn[] {
  return models.filter(({ builtIn }) => builtIn).flatMap(columnsOfModel);
}

function columnsOfModel(users: ModelDefinition): AddedColumn[] {
  const rules = new Map(users.access.fields.map((access) => [access.field, access]));
  return addedToUsers(users).fields.flatMap((field) => {
    const access = rules.get(field.name);
    return access === undefined ? [] : [{ field, access }];
  });
}
