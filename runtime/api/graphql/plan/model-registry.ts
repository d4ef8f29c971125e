import { aggregateType, hasPages, pageField } from "../../../../vocabulary/graphql/names.ts";
import type { Operation } from "../../../../vocabulary/operations.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import {
  type Caller,
  type CrudServices,
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
  type Subject,
} from "../../../models/access/index.ts";
import type { Model } from "../../../models/index.ts";
import type { Variables } from "../document/index.ts";

/** A model in GraphQL. */
export interface RegisteredModel {
  readonly model: Model;
  readonly policy: Policy;
  /** Null for an internal model, which only joins reach. */
  readonly entry: ModelEntry | null;
  /** Errors: 403 `PERMISSION_DENIED`, which names the requested field. */
  readonly authorize: (operation: Operation, caller: Subject, requested?: string) => Grant;
}

/** A model with root fields. */
export type PublicModel = RegisteredModel & { readonly entry: ModelEntry };

/** The target of a root field of a query. */
interface QueryRoot {
  readonly member: PublicModel;
  readonly kind: "list" | "page" | "aggregate";
}

/** The target of a root field of a mutation. */
interface MutationTarget {
  readonly member: PublicModel;
  readonly verb: WriteOperation;
}

/** All models by their names in documents. */
export class ModelRegistry {
  /** By key, including internal models. */
  readonly models: ReadonlyMap<string, Model>;
  readonly #members: ReadonlyMap<string, RegisteredModel>;
  readonly #queries: ReadonlyMap<string, QueryRoot>;
  readonly #byTypeName: ReadonlyMap<string, PublicModel>;
  /** Callers with a credential, by role. */
  readonly #roleKeys: ReadonlyMap<string, string>;

  constructor(
    entries: readonly ModelEntry[],
    internal: readonly { readonly model: Model; readonly policy: Policy }[],
  ) {
    const roots = entries.map((entry) => ({ ...member(entry), entry }));
    const members = [...roots, ...internal.map((one) => ({ ...member(one), entry: null }))];
    this.models = new Map(members.map(({ model }) => [model.key, model]));
    this.#members = new Map(members.map((one) => [one.model.key, one]));
    const named = (kind: QueryRoot["kind"], of: readonly PublicModel[], nameOf: (key: string) => string) =>
      of.map((member): [string, QueryRoot] => [nameOf(member.model.key), { member, kind }]);
    const paged = roots.filter(({ model }) => hasPages(model, this.models));
    this.#queries = new Map([
      ...named("page", paged, pageField),
      ...named("aggregate", roots, aggregateType),
      ...named("list", roots, (key) => key),
    ]);
    const written = roots.filter(({ model }) => model.readOnly !== true);
    this.#byTypeName = new Map(written.map((root) => [root.model.typeName, root]));
    const roles = namedRoles(members.map(({ policy }) => policy));
    this.#roleKeys = new Map(roles.map((role, index) => [role, index.toString(36)]));
  }

  /** The target model of a relation. */
  member(key: string): RegisteredModel {
    const found = this.#members.get(key);
    if (found === undefined)
      throw new Error(`a relation references ${key}, which is not a model of the service`);
    return found;
  }

  /** Errors: 404 `NOT_FOUND` for an unknown or internal model. */
  query(name: string): QueryRoot {
    const found = this.#queries.get(name);
    if (found === undefined) throw unknownModel(name, verbOf(name) === undefined ? "" : mutationHint);
    return found;
  }

  /** Errors: 400 `VALIDATION_ERROR` for an unknown verb, 404 `NOT_FOUND` for an unknown model. */
  mutation(name: string): MutationTarget {
    const verb = verbOf(name);
    if (verb === undefined)
      throw new ServiceError("VALIDATION_ERROR", `${name} does not begin with the verb of a mutation.`, {
        field: name,
      });
    const found = this.#byTypeName.get(name.slice(verb.length));
    if (found === undefined) throw unknownModel(name);
    return { member: found, verb };
  }

  /** The role of a caller in cache keys. Roles that no rule names share one, since they see the same. */
  roleKey(caller: Subject): string {
    return isSignedIn(caller) ? (this.#roleKeys.get(caller.role) ?? "others") : "guests";
  }
}

const mutationHint = " Begin a mutation with the word mutation.";

function verbOf(name: string): WriteOperation | undefined {
  return writeOperations.find((verb) => name.startsWith(verb));
}

function unknownModel(name: string, hint = ""): ServiceError {
  return new ServiceError("NOT_FOUND", `There is no model for ${name}.${hint}`, { field: name });
}

function member({
  model,
  policy,
}: Pick<RegisteredModel, "model" | "policy">): Omit<RegisteredModel, "entry"> {
  const guards = new Map<Operation, Pick<Guard<Operation>, "authorize">>();
  return {
    model,
    policy,
    authorize(operation, caller, requested) {
      let known = guards.get(operation);
      if (known === undefined) {
        known = guard(policy[operation]);
        guards.set(operation, known);
      }
      return known.authorize(caller, requested);
    },
  };
}

/** Shared by all root fields of a request. */
export interface GraphqlContext {
  readonly services: CrudServices;
  readonly registry: ModelRegistry;
  readonly caller: Caller;
  readonly variables: Variables;
  /** Row limit per root field. The root fields share the limit of the response. */
  readonly mostBytes: number;
}
