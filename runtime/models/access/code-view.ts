import { oncePer } from "../../core/concurrency/index.ts";
import { columnsOf, type Model } from "../index.ts";
import type { RoleView } from "./role-view.ts";

/** What code of one's own sees of a model, for which no gate holds: all but passwords. */
export const codeView = oncePer((model: Model): RoleView => {
  const columns = [...columnsOf(model).values()];
  const names = (hidden: boolean) =>
    columns.filter(({ kind }) => (kind === "password") === hidden).map(({ name }) => name);
  const unreadable = new Set(names(true));
  // No role has an id like this.
  const id = "code";
  return {
    id,
    readable: names(false),
    unreadable,
    unwritable: new Set(),
    fetches: { kind: "all" },
    restricted: unreadable.size > 0,
  };
});
