// Operators of filters, by what a field can compare. A field also takes a value itself, or null.

/** Whether a field is null. */
export interface NullFilter {
  is_null?: boolean;
}

/** A list is equal to another, has all of some elements, or has one of them. */
export interface ListFilter<Item> extends NullFilter {
  eq?: readonly Item[];
  contains?: readonly Item[];
  overlaps?: readonly Item[];
}

export interface EqualFilter<Value> extends NullFilter {
  eq?: Value;
  ne?: Value;
  in?: readonly Value[];
  not_in?: readonly Value[];
}

export interface OrderFilter<Value> extends EqualFilter<Value> {
  gt?: Value;
  gte?: Value;
  lt?: Value;
  lte?: Value;
  /** Both ends included. */
  between?: readonly [Value, Value];
}

/** In a pattern, `%` stands for any text and `_` for one character; `ilike` ignores case. */
export interface TextFilter extends OrderFilter<string> {
  like?: string;
  ilike?: string;
}
