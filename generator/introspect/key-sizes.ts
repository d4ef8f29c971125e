import { fieldKinds } from "../../vocabulary/field-kinds.ts";
import { defaults } from "../definition/defaults.ts";
import type { DraftColumn } from "./draft.ts";

/** PostgreSQL refuses a larger entry of an index, and the generator a key whose entries could be larger. */
const maxEntryBytes = 2704;
const bytesPerCharacter = 4;

/** Texts of fewer characters are no texts any more. */
const leastTextLength = 255;

/**
 * The greatest length that texts without one may have in an index on these columns: infinite where there are none of
 * them, null where values could be too long for an index entry whatever they get. `bounded` says which columns hold few
 * values, and `refers` those whose length is that of another model's field.
 */
export function textLengthIn(
  columns: readonly DraftColumn[],
  bounded: (column: DraftColumn) => boolean,
  refers: (column: DraftColumn) => boolean,
): number | null {
  const texts = columns.filter(
    (column) => fieldKinds[column.type.kind].compared === "as text" && !bounded(column),
  );
  const open = texts.filter(({ type }) => type.kind === "text");
  if (open.some(refers)) return null;
  const closed = texts
    .filter(({ type }) => type.kind === "string")
    .map(({ type }) => (type.maxLength ?? defaults.stringLength) * bytesPerCharacter);
  const others = 8 * (columns.length - texts.length);
  const room = maxEntryBytes - others - closed.reduce((sum, bytes) => sum + bytes, 0);
  if (open.length === 0) return room < 0 ? null : Number.POSITIVE_INFINITY;
  const length = Math.floor(room / bytesPerCharacter / open.length);
  return length < leastTextLength ? null : length;
}
