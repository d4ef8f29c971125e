import { readFileSync } from "node:fs";
import Handlebars from "handlebars";

/** Folder of the templates. */
export const templatesFolder = new URL("../../templates/", import.meta.url);

/** Prints the views of one template. A path that a view does not have throws: it is a bug of the generator. */
export type Template = (view: object) => string;

const loaded = new Map<string, Template>();

/** A template of `templates/` by its name, read once in a process. Templates loop and test booleans; all decisions are in views. */
export function loadTemplate(name: string): Template {
  const template = loaded.get(name) ?? readTemplate(name);
  loaded.set(name, template);
  return template;
}

function readTemplate(name: string): Template {
  const text = readFileSync(new URL(`${name}.hbs`, templatesFolder), "utf8");
  const print = Handlebars.compile<object>(text, {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
  });
  return (view) => print(view);
}
