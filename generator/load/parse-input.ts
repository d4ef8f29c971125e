import type { Report } from "../diagnostics/index.ts";
import type { InputFile } from "./files.ts";
import { type JsonNode, parseJson } from "./json-tree.ts";
import { checkShape } from "./shape.ts";
import { type Document, documents } from "./subject.ts";

/** The JSON of a file with positions, checked against its schema; null where it holds no object. Reports what is wrong. */
export function parseInput(document: Document, input: InputFile, report: Report): JsonNode | null {
  const { file, text, problem, invalid } = input;
  const start = { file, offset: 0, length: 1 };
  if (text === null) {
    const hint =
      document === "acknowledged" || document === "errors" ? null : `name another one with --${document}`;
    report("missing-file", start, `the file ${problem}`, hint);
    return null;
  }
  if (invalid !== null) {
    const byte = `0x${invalid.byte.toString(16).toUpperCase().padStart(2, "0")}`;
    const message = `the file is not UTF-8: the byte ${byte} at offset ${invalid.offset}`;
    report("invalid-json", { file, offset: invalid.index, length: 1 }, message, "save it as UTF-8");
    return null;
  }
  const tree = parseJson(file, text, report);
  if (tree === null) return null;
  if (tree.kind !== "object") {
    report(
      "not-an-object",
      tree.at,
      document === "models"
        ? "the models are an object, keyed by model"
        : `${documents[document]} is an object`,
    );
    return null;
  }
  checkShape(document, tree, report);
  return tree;
}
