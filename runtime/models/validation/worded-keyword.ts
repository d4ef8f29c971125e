import type { AnySchemaObject, FuncKeywordDefinition } from "ajv";
import type { Json } from "../../../vocabulary/json.ts";

/** What is wrong with a value, in words; null where nothing is. */
export type Judge<Value> = (value: Value) => string | null;

type Types = NonNullable<FuncKeywordDefinition["type"]>;

/** A keyword of schemas that says in words what is wrong. Its values have one of the types. */
export function wordedKeyword<Rules extends Json, Value extends Json>(
  keyword: string,
  type: Types,
  judgeBy: (rules: Rules, siblings: AnySchemaObject) => Judge<Value>,
): FuncKeywordDefinition {
  return {
    keyword,
    type,
    compile(rules: Rules, siblings) {
      const judge = judgeBy(rules, siblings);
      const validate: ReturnType<NonNullable<FuncKeywordDefinition["compile"]>> = (value: Value) => {
        const message = judge(value);
        validate.errors = message === null ? [] : [{ keyword, message, params: {} }];
        return message === null;
      };
      return validate;
    },
  };
}
