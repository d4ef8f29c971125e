import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
/** Loaded with the first template of an app, or the first mail. */
const handlebars = (): typeof import("handlebars") => require("handlebars");

/** What a template may be filled in with. */
export type TemplateValue = string | number | bigint | boolean;

/** All that a template names, and nothing inherited. */
export type TemplateValues = Readonly<Record<string, TemplateValue | null>>;

/** The tree of a text. Throws what Handlebars throws. */
export function parseTemplate(text: string): hbs.AST.Program {
  return handlebars().parse(text);
}

/** Fills in a tree that was checked: a value's name, and `if` or `unless` with one, are all that it holds. */
export function compileTemplate(
  tree: hbs.AST.Program,
  { escapes }: { readonly escapes: boolean },
): (values: TemplateValues) => string {
  const fill = handlebars().compile<TemplateValues>(tree, {
    strict: true,
    noEscape: !escapes,
    knownHelpersOnly: true,
  });
  return (values) => fill(values);
}
