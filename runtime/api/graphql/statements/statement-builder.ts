import type { ListInput } from "../../../data/operations/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import type { GraphqlContext } from "../plan/graphql-context.ts";
import type { ModelRegistry } from "../plan/model-registry.ts";

/** A list of a statement: what it is asked for, where its search looks, and which value of the request is its first. */
export interface NumberedList {
  readonly input: ListInput;
  readonly searchIn: readonly string[];
  readonly first: number;
}

/** For whom a statement is made. */
type Maker = Pick<GraphqlContext, "registry" | "caller" | "mostBytes">;

/** A statement while it is made: its aliases are numbered as it grows, and so are the values of its lists. */
export class StatementBuilder {
  readonly registry: ModelRegistry;
  readonly principal: Principal;
  readonly mostBytes: number;
  readonly #lists: Iterator<ListInput>;
  #values: number;
  #aliases = 0;

  /** `first` values of the request come before those of the lists. */
  constructor({ registry, caller, mostBytes }: Maker, lists: readonly ListInput[], first = 0) {
    this.registry = registry;
    this.principal = caller.principal;
    this.mostBytes = mostBytes;
    this.#lists = lists[Symbol.iterator]();
    this.#values = first;
  }

  nextAlias(): string {
    return `t${this.#aliases++}`;
  }

  /** The next list, whose values take their place: filters, search pattern if any, limit, offset. */
  nextList(searchIn: readonly string[]): NumberedList {
    const { value: input, done } = this.#lists.next();
    if (done === true || input === undefined) throw new Error("a statement has more lists than were read");
    const first = this.#values;
    this.#values += input.filters.length + (searchIn.length > 0 ? 1 : 0) + 2;
    return { input, searchIn, first };
  }
}
