/** What stands in an element. A text stays a text: nothing that was recorded becomes HTML. */
export type Child = Node | string;

type Attributes = Readonly<Record<string, string>>;

/** A new element. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The element of the page with an id, which is known to be of a kind. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no #${id} of this kind`);
}

/** Any element of the page with an id. */
export function place(id: string): HTMLElement {
  return byId(id, HTMLElement);
}

/** Sets a text, where it is another one: what stays the same costs no layout. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Sets an attribute, or takes it away. */
export function setAttribute(target: Element, name: string, value: string | null): void {
  if (target.getAttribute(name) === value) return;
  if (value === null) target.removeAttribute(name);
  else target.setAttribute(name, value);
}

/** Sets a custom property, which style sheets read; the policy of the page takes no `style` in HTML. */
export function setProperty(target: HTMLElement, name: `--${string}`, value: string): void {
  if (target.style.getPropertyValue(name) !== value) target.style.setProperty(name, value);
}
