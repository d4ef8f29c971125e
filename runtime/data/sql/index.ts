/**
 * SQL by shape: what is made here is remembered, and of the values of a request its text holds the size of a page alone. Operations have their statements
 * here ready; who needs one of its own, as GraphQL does, composes it of the same parts.
 */
export { anchorLevels, restsOnItself } from "./absence.ts";
export { answeredForm, type CheckedRecord } from "./answered-form.ts";
export { selectCaller } from "./caller-statement.ts";
export { type ChangeShape, change, lockTargets, type WriteKind } from "./change-statement.ts";
export type { Models } from "./conditions/condition-rows.ts";
export { decidingKey } from "./deciding-key.ts";
export {
  insertColumns,
  insertMany,
  insertOne,
  judgeMany,
  lockForMany,
  lockForOne,
  textLiteral,
} from "./insert-statement.ts";
export { type BindValue, kinds } from "./kinds.ts";
export { operatorsOf } from "./operators.ts";
export { type PageBounds, pageShape, pageSql } from "./page-sql.ts";
export { soughtText } from "./pattern.ts";
export { PlanCache } from "./plan-cache.ts";
export {
  bindFields,
  jsonRecord,
  requireStorable,
  storedForm,
  storedOnce,
} from "./records.ts";
export {
  idJson,
  keysWriter,
  largestPage,
  namesWithId,
  pageTooLarge,
  pick,
  placedError,
  type RowWriter,
  rowsJson,
  rowWriter,
  type WrittenKey,
  writerOf,
} from "./rows-json.ts";
export { lockRows, selectByIds, selectOpenByIds, type TargetRows } from "./rows-statement.ts";
export {
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
export { type Target, targetShape } from "./target.ts";
export { judgeUpdates, lockMany, type UpdateManyShape, updateMany } from "./update-many-statement.ts";
export type { UpsertShape } from "./upsert-rows.ts";
export { lockForUpsert, upsert } from "./upsert-statement.ts";
export {
  type Filter,
  filtersShape,
  scopeSql,
  searchFields,
  searchPattern,
  type Visibility,
  visibilitySql,
} from "./where-sql.ts";
