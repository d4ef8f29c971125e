import fc from "fast-check";
import { buildSchema } from "graphql";

/** Objects in objects, and leaves with an argument: what random documents ask. */
export const schema = buildSchema(`
  type Query { a: Query b: Query x(n: Int, s: String): String y(n: Int, s: String): String }
  schema { query: Query }
`);

const directive = fc.oneof(
  { weight: 6, arbitrary: fc.constant("") },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("skip", "include"), fc.constantFrom("true", "false", "$p", "$q"))
      .map(([name, value]) => `@${name}(if: ${value})`),
  },
  { weight: 1, arbitrary: fc.constant("@skip(if: $p) @include(if: $q)") },
);
const alias = fc.constantFrom(...Array<string>(12).fill(""), "c: ", "d: ", "x: ", "a: ");
const args = fc.constantFrom(
  ...Array<string>(12).fill(""),
  "(n: 1)",
  '(n: 1, s: "t")',
  '(s: "t", n: 1)',
  "(n: $n)",
);

const leaf = fc
  .tuple(alias, fc.constantFrom("x", "y"), args, directive)
  .map(([name, field, list, condition]) => `${name}${field}${list} ${condition}`);

const spread = fc
  .tuple(fc.constantFrom("F", "G", "H"), directive)
  .map(([name, condition]) => `...${name} ${condition}`);

const { set } = fc.letrec<{ set: string; node: string; object: string; fragment: string }>((tie) => ({
  set: fc.array(tie("node"), { minLength: 1, maxLength: 4 }).map((nodes) => `{ ${nodes.join(" ")} }`),
  node: fc.oneof({ maxDepth: 4 }, leaf, tie("object"), tie("fragment"), spread),
  object: fc
    .tuple(alias, fc.constantFrom("a", "b"), directive, tie("set"))
    .map(([name, field, condition, inner]) => `${name}${field} ${condition} ${inner}`),
  fragment: fc
    .tuple(fc.constantFrom("... ", "... on Query "), directive, tie("set"))
    .map(([start, condition, inner]) => `${start}${condition} ${inner}`),
}));

/** Queries over the schema, some with cycles or fields that conflict; every fragment and variable is used. */
export const documents: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("cycles", "aliases", "arguments", "none"), set, set, set, set)
  .map(([mistakes, ...sets]) => {
    const [query = "", ...rest] = sets.map((text) => without(mistakes, text));
    return assembled(query, mistakes === "cycles" ? rest : rest.map(withoutCycles));
  });

function assembled(query: string, fragments: readonly string[]): string {
  const used = usedFragments(query, fragments);
  const body = [
    query,
    ...used.map((name) => `fragment ${name} on Query ${fragments["FGH".indexOf(name)]}`),
  ].join("\n");
  const declared = [
    ...["p", "q"].filter((name) => body.includes(`$${name}`)).map((name) => `$${name}: Boolean!`),
    ...(body.includes("$n") ? ["$n: Int"] : []),
  ];
  return `query${declared.length === 0 ? "" : `(${declared.join()})`} ${body}`;
}

/** Most random documents would conflict, so each has one source of mistakes at most. */
function without(mistakes: string, text: string): string {
  const bare = mistakes === "arguments" ? text : text.replaceAll(/\((?:[ns]: [^()]*)\)/g, "");
  return mistakes === "aliases" ? bare : bare.replaceAll(/\b\w: (?=[abxy])/g, "");
}

/** The first fragment spreads only the second, that one only the third. */
function withoutCycles(fragment: string, at: number): string {
  return fragment.replaceAll(/\.\.\.[FGH]/g, at === 2 ? "x" : `...${"GH"[at]}`);
}

/** The fragments that a query reaches: most documents should pass the rule that each is used. */
function usedFragments(query: string, fragments: readonly string[]): string[] {
  const reached: string[] = [];
  const visit = (text: string): void => {
    for (const [, name = ""] of text.matchAll(/\.\.\.([FGH])/g)) {
      if (reached.includes(name)) continue;
      reached.push(name);
      visit(fragments["FGH".indexOf(name)] ?? "");
    }
  };
  visit(query);
  return reached;
}
