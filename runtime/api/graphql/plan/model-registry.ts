import { aggregateType } from "../../../../vocabulary/graphql/names.ts";
import type { Operation } from "../../../../vocabulary/operations.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import {
  type Guard,
  guard,
  type ModelEntry,
  type WriteOperation,
  writeOperations,
} from "../../../data/operations/index.ts";
import {
  type Grant,
  isSignedIn,
  namedRoles,
  type Policy,
  type Standing,
} from "../../../models/access/index.ts";
import type { Model } from "../../../models/index.ts";

/** A model as documents reach it. */
export interface RegisteredModel {
  readonly model: Model;
  readonly policy: Policy;
  /** Null for an internal model, which joins alone reach. */
  readonly entry: ModelEntry | null;
  /** The rows in reach of an operation, or 403 `PERMISSION_DENIED`, which names what the caller asked for. */
  readonly admit: (operation: Operation, caller: Standing, asked?: string) => Grant;
}

/** A model with root fields of its own. */
export type PublicMember = RegisteredModel & { readonly entry: ModelEntry };

/** What a root field of a query is about. */
export interface QueryRoot {
  readonly member: PublicMember;
  readonly aggregate: boolean;
}

/** What a root field of a mutation is about. */
export interface MutationTarget {
  readonly member: PublicMember;
  readonly verb: WriteOperation;
}

/** All models by the names that documents call them. Looking one up costs the same however many there are. */
export class ModelRegistry {
  /** By key, internal ones too. */
  readonly models: ReadonlyMap<string, Model>;
  readonly #members: ReadonlyMap<string, RegisteredModel>;
  readonly #queries: ReadonlyMap<string, QueryRoot>;
  readonly #byTypeName: ReadonlyMap<string, PublicMember>;
  /** Of callers with a credential, by the role in it. */
  readonly #roleKeys: ReadonlyMap<string, string>;

  constructor(
    entries: readonly ModelEntry[],
    internal: readonly { readonly model: Model; readonly policy: Policy }[],
  ) {
    const roots = entries.map((entry) => ({ ...member(entry), entry }));
    const members = [...roots, ...internal.map((one) => ({ ...member(one), entry: null }))];
    this.models = new Map(members.map(({ model }) => [model.key, model]));
    this.#members = new Map(members.map((one) => [one.model.key, one]));
    this.#queries = new Map<string, QueryRoot>([
      ...roots.map((root) => [aggregateType(root.model.key), { member: root, aggregate: true }] as const),
      ...roots.map((root) => [root.model.key, { member: root, aggregate: false }] as const),
    ]);
    this.#byTypeName = new Map(roots.map((root) => [root.model.typeName, root]));
    const named = namedRoles(members.map(({ policy }) => policy));
    this.#roleKeys = new Map(named.map((role, index) => [role, index.toString(36)]));
  }

  /** The model that a relation leads to. */
  member(key: string): RegisteredModel {
    const found = this.#members.get(key);
    if (found === undefined) throw new Error(`a relation leads to ${key}, which the service does not have`);
    return found;
  }

  /** Errors: 404 `NOT_FOUND` for a name that is no model, or an internal one. */
  query(name: string): QueryRoot {
    const found = this.#queries.get(name);
    if (found === undefined) throw unknownModel(name, verbOf(name) === undefined ? "" : mutationHint);
    return found;
  }

  /** Errors: 400 `VALIDATION_ERROR` for an unknown verb, 404 `NOT_FOUND` for a model that is none. */
  mutation(name: string): MutationTarget {
    const verb = verbOf(name);
    if (verb === undefined)
      throw new ServiceError("VALIDATION_ERROR", `${name} begins with no mutation verb.`, { field: name });
    const found = this.#byTypeName.get(name.slice(verb.length));
    if (found === undefined) throw unknownModel(name);
    return { member: found, verb };
  }

  /** Stands for the role of a caller in the keys of caches: roles that no rule names share one, since they see the same. */
  roleKey(caller: Standing): string {
    return isSignedIn(caller) ? (this.#roleKeys.get(caller.role) ?? "others") : "guests";
  }
}

const mutationHint = " A mutation has the word mutation before its braces.";

function verbOf(name: string): WriteOperation | undefined {
  return writeOperations.find((verb) => name.startsWith(verb));
}

function unknownModel(name: string, hint = ""): ServiceError {
  return new ServiceError("NOT_FOUND", `There is no model behind ${name}.${hint}`, { field: name });
}

function member({
  model,
  policy,
}: Pick<RegisteredModel, "model" | "policy">): Omit<RegisteredModel, "entry"> {
  const guards = new Map<Operation, Pick<Guard<Operation>, "admit">>();
  return {
    model,
    policy,
    admit(operation, caller, asked) {
      let known = guards.get(operation);
      if (known === undefined) {
        known = guard(policy[operation]);
        guards.set(operation, known);
      }
      return known.admit(caller, asked);
    },
  };
}
