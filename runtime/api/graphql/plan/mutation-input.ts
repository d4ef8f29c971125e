import type { JsonObject } from "../../../../vocabulary/json.ts";
import type { Problem } from "../../../core/errors/index.ts";
import {
  type ChangeInput,
  crud,
  type MutationResult,
  type MutationScope,
  type MutationSteps,
  mayBeEmpty,
  type OperationContext,
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
import type { FieldMentions, Grant } from "../../../models/access/index.ts";
import type { Model } from "../../../models/index.ts";
import { readWhereForm } from "./filter-form.ts";
import { listFields } from "./list-fields.ts";

type Mentions = FieldMentions & { readonly data?: JsonObject };

/** What a mutation is asked to do. REST runs the same steps on the same input. */
export interface AskedMutation {
  /** The fields that its arguments name. */
  readonly mentions: Mentions;
  /** Refuses what needs neither a statement nor a hook to be refused. */
  readonly check: (call: OperationContext) => void;
  readonly perform: (
    call: OperationContext,
    grant: Grant,
    work: MutationScope,
    text?: Returning,
  ) => Promise<MutationResult>;
}

/** The arguments of a mutation as JSON, and where they are read to. */
export interface SentMutation {
  readonly model: Model;
  readonly values: JsonObject;
  /** Most ids of one request. */
  readonly bulkLimit: number;
  readonly problems: Problem[];
}

/** Reads what a mutation is asked to do. What is wrong goes to `problems`. */
export function readMutation(verb: WriteOperation, sent: SentMutation): AskedMutation {
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
    perform: (call, grant, work, text) => steps.perform(call, grant, work, input, text),
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
