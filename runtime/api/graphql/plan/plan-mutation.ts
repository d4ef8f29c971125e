import { Kind, type ValueNode } from "graphql";
import type { JsonObject } from "../../../../vocabulary/json.ts";
import { type Problem, refuseProblems, ServiceError } from "../../../core/errors/index.ts";
import {
  type ListInput,
  type OperationContext,
  operationContext,
  type WriteOperation,
} from "../../../data/operations/index.ts";
import { type Grant, requireFields } from "../../../models/access/index.ts";
import type { Model } from "../../../models/index.ts";
import {
  type Argument,
  argumentValue,
  type Field,
  type NumberReading,
  plainNumbers,
  type Variables,
  variablesIn,
} from "../document/index.ts";
import { numberReadings } from "./exact-places.ts";
import type { GraphqlContext } from "./graphql-context.ts";
import { type HookedRows, hookedRows } from "./hooked-rows.ts";
import type { ModelRegistry, PublicMember } from "./model-registry.ts";
import { type AskedMutation, readMutation } from "./mutation-input.ts";
import { type ObjectSelection, resolveSelection } from "./object-selection.ts";
import { idPosition, type Position, recordPosition, requirePositions, wherePosition } from "./positions.ts";
import { SelectionAccess } from "./selection-access.ts";

/** A root field that writes rows of a model. */
export interface MutationRoot {
  readonly kind: "mutation";
  /** Stands for the field in the keys of plans. */
  readonly id: number;
  readonly key: string;
  readonly member: PublicMember;
  readonly verb: WriteOperation;
  readonly operation: () => WriteOperation;
  readonly args: readonly Argument[];
  /** Null where none was sent: ids are answered. */
  readonly selected: Selected | null;
  readonly problems: readonly Problem[];
}

/** What is selected of the rows that were written. */
export interface Selected {
  readonly selection: ObjectSelection;
  readonly access: SelectionAccess;
  /** The row as an after-hook may have changed it. */
  readonly hooked: HookedRows;
}

/** A mutation that its caller may ask for, with what its arguments say. */
export interface AdmittedMutation {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly asked: AskedMutation;
  /** What its joined lists are asked for, in the order in which a statement takes them. */
  readonly below: readonly ListInput[];
}

/** Errors: 400 `VALIDATION_ERROR` for an unknown verb; 404 `NOT_FOUND` for an unknown model, or to restore without soft delete. */
export function resolveMutation(id: number, field: Field, registry: ModelRegistry): MutationRoot {
  const { key, name, args, selection: sent } = field;
  const { member, verb } = registry.mutation(name);
  if (verb === "restore" && !member.model.softDelete)
    throw new ServiceError("NOT_FOUND", "These records cannot be restored.");
  const problems: Problem[] = [];
  const selection = sent === null ? null : resolveSelection(member, sent, registry, problems);
  const selected = selection === null ? null : selectedOf(selection, registry);
  return { kind: "mutation", id, key, member, verb, operation: () => verb, args, selected, problems };
}

function selectedOf(selection: ObjectSelection, registry: ModelRegistry): Selected {
  return { selection, access: new SelectionAccess(selection, registry), hooked: hookedRows(selection) };
}

/**
 * Admits a caller to a mutation: first the operation, then each field that is named anywhere, then what is wrong. Errors:
 * 403 `PERMISSION_DENIED`, 400 `VALIDATION_ERROR`.
 */
export function admitMutation(
  root: MutationRoot,
  { services, caller, variables }: GraphqlContext,
): AdmittedMutation {
  const { member, verb, selected } = root;
  const { principal } = caller;
  const grant = member.admit(verb, principal, `${verb}${member.model.typeName}`);
  const call = operationContext(services, member.entry, caller);
  const problems = [...root.problems];
  const values = readArguments(root, variables, problems);
  const asked = readMutation(verb, { model: member.model, values, bulkLimit: services.bulkLimit, problems });
  const below = selected === null ? [] : selected.access.read(variables);
  requireFields(call.view, asked.mentions);
  if (selected !== null) {
    selected.access.require(principal, below);
    const { ids } = values;
    problems.push(...selected.access.problems(Array.isArray(ids) ? ids.length : 1, below));
  }
  refuseProblems(problems);
  asked.check(call);
  return { call, grant, asked, below: below.map(({ input }) => input) };
}

/** The arguments that were given, as JSON. */
function readArguments(
  { member, verb, args }: MutationRoot,
  variables: Variables,
  problems: Problem[],
): JsonObject {
  const values: [string, unknown][] = [];
  for (const { name, value: node } of args) {
    const position = positionOf(member.model, verb, name);
    if (position === undefined) problems.push({ field: name, message: "is no argument here" });
    requirePositions(node, position, variables, problems);
    if (name === "where") requireGiven(node, variables, problems);
    const value = argumentValue(node, variables, numbersOf(member.model, name));
    if (position !== undefined && value !== undefined) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

/** How numbers in an argument are read. */
function numbersOf(model: Model, argument: string): NumberReading {
  return argument === "ids" ? plainNumbers : numberReadings(model).object;
}

/** A condition whose variable is left out would be none, and the write reach rows that nobody meant. */
function requireGiven(where: ValueNode, variables: Variables, problems: Problem[]): void {
  if (where.kind === Kind.VARIABLE) return;
  for (const name of variablesIn(where))
    if (!variables.isGiven(name))
      problems.push({ field: name, message: "is required where rows are written" });
}

/** The place of an argument; undefined for one that the mutation does not take. */
function positionOf(model: Model, verb: WriteOperation, name: string): Position | undefined {
  if (name === "where" && verb !== "create" && verb !== "upsert") return wherePosition(model);
  if (verb === "delete" || verb === "destroy") return name === "ids" ? idPosition(model) : undefined;
  return name === "input" ? recordPosition(model, verb) : undefined;
}
