import { createHash } from "node:crypto";
import type { SilencedDiagnostic } from "./diagnostic.ts";
import { helpOf } from "./help.ts";
import {
  catalogue,
  type Diagnostic,
  type DiagnosticCode,
  isFinding,
  isProposal,
  isSilenceable,
  type Location,
} from "./index.ts";

interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: readonly SilencedDiagnostic[];
}

type Entry = { readonly diagnostic: Diagnostic; readonly silenced: SilencedDiagnostic | null };

/** Errors, warnings and findings as one log of SARIF 2.1.0, with the rules that they name; silenced ones as suppressed. */
export function sarifOf({ diagnostics, silenced }: Findings): object {
  const entries: Entry[] = [
    ...diagnostics.map((diagnostic) => ({ diagnostic, silenced: null })),
    ...silenced.map((each) => ({ diagnostic: each.diagnostic, silenced: each })),
  ].sort((a, b) => byPlace(a.diagnostic, b.diagnostic));
  const rules = [...new Set(entries.map(({ diagnostic }) => diagnostic.code))].sort();
  const fingerprint = fingerprints();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "kirak", rules: rules.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results: entries.map((entry) => resultOf(entry, rules.indexOf(entry.diagnostic.code), fingerprint)),
      },
    ],
  };
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

function ruleOf(code: DiagnosticCode): object {
  const { summary } = catalogue[code];
  const { why, fix } = helpOf(code);
  const way = isSilenceable(code) ? ` To silence it: "lint_ignore": { "${code}": "<why it is meant>" }.` : "";
  return {
    id: code,
    shortDescription: messageOf(sentence(summary)),
    fullDescription: messageOf(why),
    help: messageOf(`${fix}${way}`),
    defaultConfiguration: { level: levelOf(code) },
  };
}

/** Braces are placeholders in a message, and brackets may be links, unless they are escaped (sections 3.11.5, 3.11.6). */
function messageOf(text: string): object {
  return { text: text.replace(/[{}]/g, "$&$&").replace(/[[\]]/g, "\\$&") };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function levelOf(code: DiagnosticCode): "error" | "warning" | "note" {
  if (isProposal(code)) return "note";
  return isFinding(code) ? "warning" : "error";
}

function resultOf(
  { diagnostic, silenced }: Entry,
  ruleIndex: number,
  fingerprint: (diagnostic: Diagnostic) => string,
): object {
  const { code, severity, message, hint } = diagnostic;
  return {
    ruleId: code,
    ruleIndex,
    level: severity === "error" ? "error" : levelOf(code),
    message: messageOf(hint === null ? message : `${message}\n${hint}`),
    locations: [locationOf(diagnostic)],
    partialFingerprints: { "finding/v1": fingerprint(diagnostic) },
    // Either all results have the key, or none (SARIF 2.1.0, section 3.27.23).
    suppressions:
      silenced === null
        ? []
        : [{ kind: "inSource", justification: silenced.reason, location: locationOf(silenced.at) }],
  };
}

function locationOf({ file, line, column, length }: Location): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" },
      region: { startLine: line, startColumn: column, endLine: line, endColumn: column + length },
    },
  };
}

/** A fingerprint without the line, so that text above can grow; a number distinguishes equal messages. */
function fingerprints(): (diagnostic: Diagnostic) => string {
  const seen = new Map<string, number>();
  return ({ code, file, message }) => {
    const content = JSON.stringify([code, file, message]);
    const count = (seen.get(content) ?? 0) + 1;
    seen.set(content, count);
    return createHash("sha256").update(`${content}${count}`).digest("hex").slice(0, 32);
  };
}
