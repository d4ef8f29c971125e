/**
 * Statements, cached by shape. The only value of a request in their text is the page size. GraphQL builds its
 * own statements from the same parts.
 */
export * from "./change-statement.ts";
export { elementType, idTypeOf, type Typed, type TypedColumn, typeOf } from "./column-types.ts";
export { callerColumnSql, treeSql, valueSql } from "./conditions/condition.ts";
export { dependsOnOwnModel, lockLevelCount } from "./conditions/parent-locks.ts";
export * from "./conditions/relations.ts";
export {
  authorizeMany,
  insertColumns,
  insertMany,
  insertOne,
  lockForMany,
  lockForOne,
  recordColumns,
  textLiteral,
} from "./insert-statement.ts";
export { insertValues } from "./insert-values.ts";
export * from "./keyset-statement.ts";
export { type BindValue, kinds } from "./kinds.ts";
export * from "./records.ts";
export * from "./select-statement.ts";
export {
  bareColumns,
  type ColumnSql,
  columnList,
  columnsOfTable,
  every,
  idValue,
  idValues,
  join,
  type Plan,
  PlanCache,
  plan,
  policyValue,
  requestList,
  requestValue,
  type Sql,
  selectCaller,
  soughtText,
  sql,
  tableSql,
  testSql,
  withValues,
} from "./sql.ts";
export { authorizeUpdates, lockMany, type UpdateManyShape, updateMany } from "./update-many-statement.ts";
export { decidingKey, lockForUpsert, type UpsertShape, upsert } from "./upsert-statement.ts";
export {
  type Filter,
  filtersShape,
  filtersSql,
  scopeSql,
  searchFields,
  searchPattern,
  type Visibility,
  visibilitySql,
} from "./where-sql.ts";
