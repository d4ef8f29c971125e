import { sqlStepId } from "../../../vocabulary/sql-migration.ts";
import { olderNote } from "../../migrations/migration-header.ts";
import type { OwnLink } from "../../migrations/plan.ts";
import { door, type Import } from "../file.ts";
import { literal, stringLiteral } from "../literal.ts";

/** What `templates/migration-link.hbs` prints: the place of own SQL in the chain. */
export interface MigrationLinkView {
  readonly imports: readonly Import[];
  readonly name: string;
  readonly parent: string;
  readonly note: string;
}

/** The view of `migrations/<name>.ts` for a file of `models/migrations/`. */
export function migrationLinkView(link: OwnLink): MigrationLinkView {
  return {
    imports: [
      { from: door("migrations"), names: ["linkMigration"] },
      { from: link.file, main: "sql" },
    ],
    name: stringLiteral(link.name),
    parent: literal(link.parent),
    note: noteOf(link),
  };
}

/** As the heads of other migrations say it of their steps. */
function noteOf(link: OwnLink): string {
  const id = sqlStepId(link.name);
  if (link.class === "destructive") return `Destructive: ${id}, accepted with --accept-destructive`;
  return link.class === "breaks-older-code" ? `${olderNote} ${id}` : "Additive.";
}
