import { readFileSync } from "node:fs";
import Handlebars from "handlebars";

/** Folder of the templates. */
export const templatesFolder = new URL("../../templates/", import.meta.url);

/** Prints the view of one template. Throws if the view lacks a path, which is a bug of the generator. */
export type Template = (view: object) => string;

const loaded = new Map<string, Template>();

/** A template of `templates/`, read once per process. Templates only loop and test booleans: all decisions are in views. */
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
