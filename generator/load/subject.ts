/** Which of the files a text is: models, the manifest, access that was acknowledged, or errors of the app's own. */
export type Document = "models" | "manifest" | "acknowledged" | "errors";

/** What each of them is called in messages. */
export const documents: Readonly<Record<Document, string>> = {
  models: "the models file",
  manifest: "the manifest",
  acknowledged: "the acknowledged access",
  errors: "the errors file",
};

/** What a path into the models file or the manifest is called in messages, such as `"type" of field "body" of model "posts"`. */
export function subject(document: Document, path: readonly string[]): string {
  if (path.length === 0) return documents[document];
  if (document === "acknowledged" && path.length === 2) return `the reason of "${path[1]}"`;
  if (document === "errors") return within(path.slice(1), `error "${path[0]}"`);
  return document === "models" ? modelsSubject(path) : within(path, documents[document]);
}

function modelsSubject([model, section, name, ...rest]: readonly string[]): string {
  const ofModel = `model "${model}"`;
  if (section === undefined) return ofModel;
  if (name === undefined) return `"${section}" of ${ofModel}`;
  if (section === "schema" || section === "fields") return within(rest, `field "${name}" of ${ofModel}`);
  if (section === "access" && name === "fields") {
    const [field, ...gate] = rest;
    return field === undefined
      ? `"access.fields" of ${ofModel}`
      : within(gate, `the access of field "${field}" of ${ofModel}`);
  }
  if (section === "access") return within(rest, `the access to "${name}" of ${ofModel}`);
  return within([name, ...rest], `"${section}" of ${ofModel}`);
}

function within(path: readonly string[], whole: string): string {
  const names = path.filter((step) => !/^\d+$/.test(step));
  if (path.length === 0) return whole;
  const named = names.length === 0 ? whole : `"${names.join(".")}" of ${whole}`;
  // A number at the end is an item; in between it is left out.
  return /^\d+$/.test(path.at(-1) ?? "") ? `an item of ${named}` : named;
}
