import type { ModelTypes } from "../../models/index.ts";
import type { MutationContext } from "./code-context.ts";

/** What before-hooks of update, delete, destroy and restore are told (decisions, part 13). */
export interface TargetContext<Types extends ModelTypes> extends MutationContext {
  /**
   * The rows that the operation is about to touch by the filter as it stands now, locked until the operation ends, in the order of their
   * ids. Errors: what the operation would answer where it reaches no row, or one that is out of reach; 400 for more rows than
   * `server.bulk_limit`.
   */
  rows(): Promise<Types["row"][]>;
}

/** What after-hooks of create and upsert are told. */
export interface WrittenContext<Types extends ModelTypes> extends MutationContext {
  /** The rows that the operation wrote as they are now, in the order of their ids, in a bulk in that of its list. */
  after(): Promise<Types["row"][]>;
}

/** What after-hooks of update, delete, destroy and restore are told. */
export interface ChangedContext<Types extends ModelTypes> extends WrittenContext<Types> {
  /** What `rows()` gave in the before-hook; in a bulk the rows of the records that were written, in the order of its list. */
  readonly before: Types["row"][] | undefined;
}
