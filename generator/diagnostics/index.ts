export { catalogue, type DiagnosticCode, isFinding, isProposal, isSilenceable } from "./catalogue.ts";
export {
  createLocator,
  createReporter,
  type Diagnostic,
  diagnosticsOf,
  type LintFinding,
  type Location,
  type ReportDiagnostic,
  type SilencedDiagnostic,
  type SourceSpan,
  type Sources,
} from "./diagnostic.ts";
export { renderDiagnostics } from "./render.ts";
