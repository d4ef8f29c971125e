/** A value in a document. A number is written with all its digits, however big it is. */
export type Placed = string | boolean | { readonly digits: string };

type Json = string | boolean | Json[] | { [key: string]: Json };

/** A document that is made path by path (`a.b[0].c`, `[k=v]`, `*`, `#last`), as rows name them. */
export class DocumentWith {
  #root: Json | undefined;

  place(path: string, value: Placed): void {
    const [way = "", part] = path.split("#");
    this.#root = grown(this.#root, way.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [], written(value, part));
  }

  /** Members that say nothing of the person, or lie. */
  add(members: Readonly<Record<string, Json>>): void {
    const root = this.#root ?? {};
    if (typeof root === "object" && !Array.isArray(root)) this.#root = { ...members, ...root };
  }

  toJson(): string {
    return JSON.stringify(this.#root ?? {}).replace(/"\u2116(\d+)"/g, "$1");
  }
}

/** Digits bear a mark until the whole is text: as a number they would be rounded. */
function written(value: Placed, part: string | undefined): Json {
  if (typeof value === "object") return `\u2116${value.digits}`;
  return part === "last" ? `/some/where/${value}` : value;
}

function grown(node: Json | undefined, [step, ...rest]: readonly string[], value: Json): Json {
  if (step === undefined) return value;
  if (step.startsWith("[")) return grownList(Array.isArray(node) ? node : [], step.slice(1, -1), rest, value);
  const object = typeof node === "object" && !Array.isArray(node) ? node : {};
  const key = step === "*" ? "any" : step;
  return { ...object, [key]: grown(object[key], rest, value) };
}

function grownList(list: readonly Json[], choice: string, rest: readonly string[], value: Json): Json {
  const [key = "", wanted] = choice.split("=");
  if (wanted === undefined) {
    const item = grown(list[Number(key)], rest, value);
    return [...list.slice(0, Number(key)), item, ...list.slice(Number(key) + 1)];
  }
  // The first that comes is another one.
  const [other = { [key]: false }, right = { [key]: wanted === "true" ? true : wanted }] = list;
  return [other, grown(right, rest, value)];
}
