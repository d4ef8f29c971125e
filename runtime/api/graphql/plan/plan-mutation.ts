import { Kind, type ValueNode } from "graphql";
import type { JsonObject } from "../../../../vocabulary/json.ts";
import { type Problem, refuseProblems, ServiceError } from "../../../core/errors/index.ts";
import {
  type ChangeInput,
  crud,
  type ListInput,
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
  requireNarrowing,
  type WriteOperation,
} from "../../../data/operations/index.ts";
import type { Filter } from "../../../data/sql/index.ts";
import { type FieldMentions, type Grant, requireFields } from "../../../models/access/index.ts";
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
  listFields,
  numberReadings,
  type Position,
  readWhereForm,
  recordPosition,
  requirePositions,
  wherePosition,
} from "./list-arguments.ts";
import type { GraphqlContext, ModelRegistry, PublicMember } from "./model-registry.ts";
import {
  type HookedRows,
  hookedRows,
  type ObjectSelection,
  resolveSelection,
  SelectionAccess,
} from "./selection.ts";

type Mentions = FieldMentions & { readonly data?: JsonObject };

/** What a mutation is asked to do. REST runs the same steps on the same input. */
interface AskedMutation {
  /** The fields that its arguments name. */
  readonly mentions: Mentions;
  /** Refuses what needs neither a statement nor a hook to be refused. */
  readonly check: (call: OperationContext) => void;
  readonly execute: (
    call: OperationContext,
    grant: Grant,
    work: MutationScope,
    text?: Returning,
  ) => Promise<MutationResult>;
}

/** The arguments of a mutation as JSON, and where they are read to. */
interface SentMutation {
  readonly model: Model;
  readonly values: JsonObject;
  /** Most ids of one request. */
  readonly bulkLimit: number;
  readonly problems: Problem[];
}

/** Reads what a mutation is asked to do. What is wrong goes to `problems`. */
function readMutation(verb: WriteOperation, sent: SentMutation): AskedMutation {
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

function withInput<Input extends Mentions>(steps: MutationSteps<Input>, input: Input): AskedMutation {
  return {
    mentions: input,
    check: (call) => steps.check(call, input),
    execute: (call, grant, work, text) => steps.execute(call, grant, work, input, text),
  };
}

function readNewRecord({ model, values, problems }: SentMutation): RecordInput {
  // The schema has no type of an input that would have no fields, so there it is left out.
  const given = mayBeEmpty(model) ? { input: {}, ...values } : values;
  return copied(model, readRecord(model, given, "input", problems));
}

function readChange(sent: SentMutation): ChangeInput {
  const input = readFields(sent.model, sent.values, "input", sent.problems);
  return { ...copied(sent.model, input), filters: readFilters(sent) };
}

/**
 * A copy, since the default of a variable is one object for all requests, and what is stored hangs on the record. One value
 * for a list is a list of one, as everywhere in GraphQL.
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
    problems.push({ field: "where", message: "is required, or ids" });
    return { filters: [] };
  }
  if (byWhere) problems.push({ field: "ids", message: "cannot stand beside where" });
  const ids = values["ids"];
  // As everywhere in GraphQL, one value is a list of one.
  return { ids: readIds(model, ids === null || Array.isArray(ids) ? ids : [ids], bulkLimit, problems) };
}

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
export interface AuthorizedMutation {
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
export function authorizeMutation(
  root: MutationRoot,
  { services, caller, variables }: GraphqlContext,
): AuthorizedMutation {
  const { member, verb, selected } = root;
  const { principal } = caller;
  const grant = member.authorize(verb, principal, `${verb}${member.model.typeName}`);
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
