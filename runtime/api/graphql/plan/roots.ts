import { type Problem, refuseProblems } from "../../../core/errors/index.ts";
import type { Field, Operation, Selection } from "../document/index.ts";
import { runRootField } from "../response.ts";
import type { ModelRegistry } from "./model-registry.ts";
import { type AggregateRoot, resolveAggregate } from "./plan-aggregate.ts";
import { type ListRoot, type PageRoot, resolveList, resolvePage } from "./plan-list.ts";
import { type MutationRoot, resolveMutation } from "./plan-mutation.ts";
import { checkConditions, refuseArguments } from "./selection.ts";

/** A resolved root field. It depends only on the document, not on the caller. */
export type Root = TypenameRoot | ListRoot | PageRoot | AggregateRoot | MutationRoot;

/** `__typename` of the operation itself. */
export interface TypenameRoot {
  readonly kind: "typename";
  readonly key: string;
  readonly name: string;
}

/** The root fields of one service, resolved once per selection. */
export class Roots {
  readonly #registry: ModelRegistry;
  readonly #known = new WeakMap<Selection, readonly Root[]>();
  #count = 0;

  constructor(registry: ModelRegistry) {
    this.#registry = registry;
  }

  /**
   * The root fields in document order. Errors, as `RootFailure`: 404 `NOT_FOUND` for an unknown or internal
   * model, 400 `VALIDATION_ERROR` for an unknown verb. Other errors are reported when the field is prepared.
   */
  of({ kind }: Operation, selection: Selection): readonly Root[] {
    const known = this.#known.get(selection);
    if (known !== undefined) return known;
    const type = kind === "query" ? "Query" : "Mutation";
    const problems: Problem[] = [];
    checkConditions(selection, [type], problems);
    const roots = selection.fields.map((field) =>
      field.name === "__typename"
        ? typenameRoot(field, type, problems)
        : runRootField(field.key, () => this.#resolve(kind, field)),
    );
    refuseProblems(problems);
    this.#known.set(selection, roots);
    return roots;
  }

  #resolve(kind: Operation["kind"], field: Field): Root {
    const id = this.#count++;
    if (kind === "mutation") return resolveMutation(id, field, this.#registry);
    const { member, kind: rootKind } = this.#registry.query(field.name);
    if (rootKind === "aggregate") return resolveAggregate(id, field, member);
    const resolve = rootKind === "page" ? resolvePage : resolveList;
    return resolve(id, field, member, this.#registry);
  }
}

function typenameRoot({ key, args, selection }: Field, name: string, problems: Problem[]): TypenameRoot {
  refuseArguments(args, problems);
  if (selection !== null) problems.push({ field: "__typename", message: "has no subfields" });
  return { kind: "typename", key, name };
}
