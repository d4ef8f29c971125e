/** Words that cannot name a constant in a module, and globals that the linter protects from shadowing. */
const reserved = new Set(
  `abstract any arguments as asserts async await bigint boolean break case catch class const constructor continue
  debugger declare decodeURI decodeURIComponent default delete do else encodeURI encodeURIComponent enum escape eval
  export extends false finally for from function get global globalThis if implements import in infer instanceof
  interface is isFinite isNaN keyof let module namespace never new null number object of package parseFloat parseInt
  private process protected public readonly require return set static string super switch symbol this throw true try
  type typeof undefined unescape unique unknown var void while with yield hasOwnProperty isPrototypeOf
  propertyIsEnumerable toLocaleString toString valueOf`.split(/\s+/),
);

/** Joins the words of any text in camel case: `order_items` gives `orderItems`. Empty if there are no ASCII words. */
export function camelCase(text: string): string {
  const joined = pascalCase(text);
  return joined.slice(0, 1).toLowerCase() + joined.slice(1);
}

/** Joins the words of any text, each with a capital: `owner_id` gives `OwnerId`. */
function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => (/^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word))
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/**
 * Returns a function for unique identifiers in one file. A reserved word or an import gets the noun (`class` gives `classModel`), and
 * a used name gets a number (`orderItems2`).
 */
export function identifiers(imports: readonly string[], noun: string): (candidate: string) => string {
  const used = new Set(imports);
  const suffix = pascalCase(noun);
  return (candidate) => {
    const start = /^[A-Za-z]/.test(candidate) ? candidate : noun + candidate;
    const base = reserved.has(start) || imports.includes(start) ? start + suffix : start;
    let name = base;
    for (let number = 2; used.has(name); number += 1) name = `${base}${number}`;
    used.add(name);
    return name;
  };
}
