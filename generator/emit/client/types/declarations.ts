import { docComment } from "../../literal.ts";
import { type Property, propertyText, type ValueSide } from "./schema-types.ts";

/** The head of an interface. */
export interface InterfaceHead {
  readonly name: string;
  readonly about?: string | undefined;
  readonly parents?: readonly string[];
}

/** An interface with these members, one a line. */
export function interfaceText(
  { name, about, parents = [] }: InterfaceHead,
  members: readonly string[],
): string {
  const bases = parents.length === 0 ? "" : ` extends ${parents.join(", ")}`;
  const body = members.length === 0 ? "{}" : `{\n${members.map(indented).join("\n")}\n}`;
  return commented(about, `export interface ${name}${bases} ${body}`);
}

/** Properties as members of an interface, with their descriptions. */
export function memberTexts(properties: readonly Property[], side: ValueSide): string[] {
  return properties.map((property) => commented(property.description, `${propertyText(property, side)};`));
}

/** A text below its doc comment. */
export function commented(description: string | undefined, text: string): string {
  const comment = docComment(description ?? null);
  return comment === null ? text : `${comment}\n${text}`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
