/**
 * SQL by shape: what is made here is remembered, and its text never depends on a value. Operations have their statements
 * here ready; who needs one of its own, as GraphQL does, composes it of the same parts.
 */
export { type ChangeShape, change, type Target, type WriteKind } from "./change-statement.ts";
export type { Models } from "./condition-sql.ts";
export { insertColumns, insertMany, insertOne, textLiteral } from "./insert-statement.ts";
export { type BindValue, kinds } from "./kinds.ts";
export { operatorsOf } from "./operators.ts";
export { soughtText } from "./pattern.ts";
export { PlanCache } from "./plan-cache.ts";
export { bindFields, type CheckedRecord, jsonRecord, storedForm, storedOnce } from "./records.ts";
export { idJson, largestPage, pageTooLarge, pick, rowsJson, rowWriter } from "./rows-json.ts";
export {
  limitSql,
  orderSql,
  type RowFilter,
  rowFilterSql,
  selectCount,
  selectExists,
  selectPage,
} from "./select-statement.ts";
export {
  columnList,
  columnsOfTable,
  every,
  join,
  type Plan,
  plan,
  requestList,
  requestValue,
  type Sql,
  sql,
} from "./sql.ts";
export { updateMany } from "./update-many-statement.ts";
export { decidingKey, upsert } from "./upsert-statement.ts";
export {
  type Filter,
  filtersShape,
  scopeSql,
  searchFields,
  searchPattern,
  type Visibility,
  visibilitySql,
} from "./where-sql.ts";
