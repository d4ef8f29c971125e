import { elementKindOf, isExactKind } from "../../../../vocabulary/fields/field-kinds.ts";
import { oncePer } from "../../../core/memo/index.ts";
import { columnsOf, type Model } from "../../../models/index.ts";
import { exactNumbers, type NumberReading, plainNumbers } from "../document/index.ts";

/** How the numbers in the arguments of one model are read. */
interface NumberReadings {
  /** Of filters by field, each an argument of its own. */
  readonly filter: (field: string) => NumberReading;
  /** Of a record, and of `where`, an object of filters. */
  readonly object: NumberReading;
}

/** How numbers are read that stand in a document: for fields whose values JSON has as text no digit of them is lost. */
export const numberReadings = oncePer((model: Model): NumberReadings => {
  const columns = [...columnsOf(model).values()];
  const exact = new Set(
    columns.flatMap(({ name, kind }) => (isExactKind(elementKindOf(kind) ?? kind) ? [name] : [])),
  );
  const filter = (field: string) => (exact.has(field) ? exactNumbers : plainNumbers);
  return { filter, object: exact.size === 0 ? plainNumbers : { ...plainNumbers, under: filter } };
});
