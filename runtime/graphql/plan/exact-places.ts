import { elementKindOf, isExactKind } from "../../../vocabulary/field-kinds.ts";
import { oncePer } from "../../memo/index.ts";
import { columnsOf, type Model } from "../../model/index.ts";
import { argumentNumbers, dataNumbers, exactNumbers, type NumberReading } from "../document/index.ts";

/** How the numbers in the arguments of one model are read. */
interface NumberReadings {
  /** Of filters by field, each an argument of its own. */
  readonly filter: (field: string) => NumberReading;
  /** Of `where`, an object of filters. */
  readonly where: NumberReading;
  /** Of a record. */
  readonly input: NumberReading;
}

/** How numbers are read that stand in a document: for fields whose values JSON has as text no digit of them is lost. */
export const numberReadings = oncePer((model: Model): NumberReadings => {
  const columns = [...columnsOf(model).values()];
  const exact = new Set(
    columns.flatMap(({ name, kind }) => (isExactKind(elementKindOf(kind) ?? kind) ? [name] : [])),
  );
  const within = (others: NumberReading) => (field: string) => (exact.has(field) ? exactNumbers : others);
  const objectOf = (others: NumberReading): NumberReading =>
    exact.size === 0 ? others : { ...others, under: within(others) };
  return {
    filter: within(argumentNumbers),
    where: objectOf(argumentNumbers),
    input: objectOf(dataNumbers),
  };
});
