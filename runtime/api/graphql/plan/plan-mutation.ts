import { Kind, type ValueNode } from "graphql";
import type { JsonObject } from "../../../../vocabulary/json.ts";
import { type Problem, refuseProblems, ServiceError } from "../../../core/errors/index.ts";
import {
  type ChangeInput,
  crud,
  type ListInput,
  listFields,
  type MutationResult,
  type MutationScope,
  type MutationSteps,
  mayBeEmpty,
  type OperationContext,
  operationContext,
  type RecordInput,
  type RemovalInput,
  type Returning,
  readFields,
  readIds,
  readObject,
  readRecord,
  readWhereForm,
  requireNarrowing,
  type WriteOperation,
} from "../../../data/operations/index.ts";
import type { BindValue, Filter } from "../../../data/sql/index.ts";
import { type Grant, grantFor, requireFields } from "../../../models/access/index.ts";
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
import {
  idPosition,
  numberReadings,
  type Position,
  recordPosition,
  requirePositions,
  wherePosition,
} from "./list-arguments.ts";
import type { GraphqlContext, ModelRegistry, PublicModel } from "./model-registry.ts";
import {
  type HookedRows,
  hookedRows,
  type ObjectSelection,
  resolveSelection,
  SelectionAccess,
} from "./selection.ts";

/** The rows and the record that a mutation names. */
interface Mentions {
  readonly filters?: readonly Filter[];
  readonly ids?: readonly BindValue[];
  readonly data?: JsonObject;
}

/** The input of a mutation, with the steps that REST runs. */
interface RequestedMutation {
  readonly mentions: Mentions;
  /** Rejects invalid input before any statement or hook. */
  readonly check: (call: OperationContext) => void;
  readonly execute: (
    call: OperationContext,
    grant: Grant,
    work: MutationScope,
    text?: Returning,
  ) => Promise<MutationResult>;
}

interface SentMutation {
  readonly model: Model;
  readonly values: JsonObject;
  /** The maximum of ids. */
  readonly bulkLimit: number;
  readonly problems: Problem[];
}

/** Adds errors to `problems`. */
function readMutation(verb: WriteOperation, sent: SentMutation): RequestedMutation {
  switch (verb) {
    case "create":
      return withInput(crud.create, readNewRecord(sent));
    case "upsert":
      return withInput(crud.upsert, readNewRecord(sent));
    case "update":
      return withInput(crud.update, readChange(sent));
    case "restore":
      return withInput(crud.restore, readChange(sent));
    case "delete":
      return withInput(crud.delete, readRemoval(sent));
    case "destroy":
      return withInput(crud.destroy, readRemoval(sent));
  }
}

function withInput<Input extends Mentions>(steps: MutationSteps<Input>, input: Input): RequestedMutation {
  return {
    mentions: input,
    check: (call) => steps.check(call, input),
    execute: (call, grant, work, text) => steps.execute(call, grant, work, input, text),
  };
}

function readNewRecord({ model, values, problems }: SentMutation): RecordInput {
  // The schema has no input type without fields, so `input` can be missing.
  const given = mayBeEmpty(model) ? { input: {}, ...values } : values;
  return copied(model, readRecord(model, given, "input", problems));
}

function readChange(sent: SentMutation): ChangeInput {
  const input = readFields(sent.model, sent.values, "input", sent.problems);
  return { ...copied(sent.model, input), filters: readFilters(sent) };
}

/**
 * A copy, because the stored form is cached by record, and requests share the default of a variable. A single
 * value for a list becomes a list.
 */
function copied(model: Model, data: JsonObject) {
  const copy = { ...data };
  for (const name of listFields(model)) {
    const value = Object.hasOwn(copy, name) ? copy[name] : null;
    if (value != null && !Array.isArray(value)) copy[name] = [value];
  }
  return { data: copy, label: "input" };
}

function readFilters({ model, values, problems }: SentMutation): readonly Filter[] {
  const filters = readWhereForm(model, readObject(values, "where", problems), problems);
  return requireNarrowing(filters, "where", problems);
}

function readRemoval(sent: SentMutation): RemovalInput {
  const { model, values, bulkLimit, problems } = sent;
  const byWhere = Object.hasOwn(values, "where");
  if (!Object.hasOwn(values, "ids")) {
    if (byWhere) return { filters: readFilters(sent) };
    problems.push({ field: "where", message: "is required unless ids is given" });
    return { filters: [] };
  }
  if (byWhere) problems.push({ field: "ids", message: "cannot be combined with where" });
  const ids = values["ids"];
  // A single value becomes a list of one.
  return { ids: readIds(model, ids === null || Array.isArray(ids) ? ids : [ids], bulkLimit, problems) };
}

/** A root field that writes rows of a model. */
export interface MutationRoot {
  readonly kind: "mutation";
  /** For cache keys. */
  readonly id: number;
  readonly key: string;
  readonly member: PublicModel;
  readonly verb: WriteOperation;
  readonly operation: () => WriteOperation;
  readonly args: readonly Argument[];
  /** Null without a selection: ids are returned. */
  readonly selected: Selected | null;
  readonly problems: readonly Problem[];
}

/** The selection of the written rows. */
export interface Selected {
  readonly selection: ObjectSelection;
  readonly access: SelectionAccess;
  /** For an after-hook. */
  readonly hooked: HookedRows;
}

/** A mutation that the caller may run. */
export interface AuthorizedMutation {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly requested: RequestedMutation;
  /** The input of joined lists, in the order of a statement. */
  readonly below: readonly ListInput[];
}

/** Errors: 400 for an unknown verb; 404 for an unknown model, or a restore without soft delete. */
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
 * Authorizes a mutation: the operation, each named field, then the input. Errors: 403 `PERMISSION_DENIED`,
 * 400 `VALIDATION_ERROR`.
 */
export function authorizeMutation(
  root: MutationRoot,
  { services, caller, variables }: GraphqlContext,
): AuthorizedMutation {
  const { member, verb, selected } = root;
  const { principal } = caller;
  const granted = member.authorize(verb, principal, `${verb}${member.model.typeName}`);
  const call = operationContext(services, member.entry, caller);
  const problems = [...root.problems];
  const requested = requestedMutation(root, variables, services.bulkLimit, problems);
  const below = selected === null ? [] : selected.access.read(variables);
  requireFields(call.view, requested.mentions);
  const grant = grantFor(granted, requested.mentions.data);
  if (selected !== null) {
    selected.access.require(principal, below);
    problems.push(...selected.access.problems(requested.mentions.ids?.length ?? 1, below));
  }
  refuseProblems(problems);
  requested.check(call);
  return { call, grant, requested, below: below.map(({ input }) => input) };
}

/** The input of a mutation. Adds errors to `problems`. */
export function requestedMutation(
  root: MutationRoot,
  variables: Variables,
  bulkLimit: number,
  problems: Problem[],
): RequestedMutation {
  const values = readArguments(root, variables, problems);
  return readMutation(root.verb, { model: root.member.model, values, bulkLimit, problems });
}

function readArguments(
  { member, verb, args }: MutationRoot,
  variables: Variables,
  problems: Problem[],
): JsonObject {
  const values: [string, unknown][] = [];
  for (const { name, value: node } of args) {
    const position = positionOf(member.model, verb, name);
    if (position === undefined) problems.push({ field: name, message: "is not an argument here" });
    requirePositions(node, position, variables, problems);
    if (name === "where") requireGiven(node, variables, problems);
    const value = argumentValue(node, variables, numbersOf(member.model, name));
    if (position !== undefined && value !== undefined) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

function numbersOf(model: Model, argument: string): NumberReading {
  return argument === "ids" ? plainNumbers : numberReadings(model).object;
}

/** A filter without its variable would be no filter, and the write would reach more rows than intended. */
function requireGiven(where: ValueNode, variables: Variables, problems: Problem[]): void {
  if (where.kind === Kind.VARIABLE) return;
  for (const name of variablesIn(where))
    if (!variables.isGiven(name))
      problems.push({ field: name, message: "is required in the where of a write" });
}

/** Undefined for an argument that the mutation does not have. */
function positionOf(model: Model, verb: WriteOperation, name: string): Position | undefined {
  if (name === "where" && verb !== "create" && verb !== "upsert") return wherePosition(model);
  if (verb === "delete" || verb === "destroy") return name === "ids" ? idPosition(model) : undefined;
  return name === "input" ? recordPosition(model, verb) : undefined;
}
