import { oncePer } from "../../core/memo/index.ts";
import { answeredValue, hasAnsweredForm } from "../../models/answered-values.ts";
import { type Column, columnsOf, type Model } from "../../models/index.ts";

/** A record that has passed validation: the fields that were sent, with JSON values. */
export type CheckedRecord = Readonly<Record<string, unknown>>;

/** The columns whose values may be sent in several forms; most models have none. */
const columnsWithForms = oncePer((model: Model): readonly Column[] =>
  [...columnsOf(model).values()].filter(({ kind }) => hasAnsweredForm(kind)),
);

/** A record whose exact numbers, times of day and lists have the form in which they are answered, which hooks and code see (decisions, part 4). */
export function answeredForm(model: Model, record: CheckedRecord): CheckedRecord {
  const columns = columnsWithForms(model);
  if (columns.length === 0) return record;
  const answered = columns
    .filter(({ name }) => Object.hasOwn(record, name))
    .map(({ name, kind, decimal }) => [name, answeredValue(kind, record[name], decimal)]);
  return { ...record, ...Object.fromEntries(answered) };
}
