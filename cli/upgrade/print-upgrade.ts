import { sections } from "./changelog.ts";
import type { GeneratedChanges } from "./generated-changes.ts";
import { migrationLines } from "./migration-lines.ts";
import type { UpgradeChanges } from "./upgrade-changes.ts";

/** At most this many files are named. */
const shown = 12;

/** How an upgrade is printed. */
interface Printing {
  /** With the diff of generated text. */
  readonly diff: boolean;
  /** What installs this version; null where it is installed. */
  readonly install: string | null;
}

/** What an upgrade changes, in words. */
export function printUpgrade(changes: UpgradeChanges, printing: Printing): string {
  const { from, to, told, releases, migrations, generated } = changes;
  const head = from === to ? `kirak ${to}, as before (${told})` : `kirak ${from} → ${to} (${from}: ${told})`;
  const parts = [
    head,
    ["Generated text", ...generatedLines(generated, printing)].join("\n"),
    from === to ? [] : behaviourLines(releases),
    from === to ? [] : migrationLines(migrations),
    stepLines(changes, printing),
  ];
  return `${parts
    .map((lines) => [lines].flat().join("\n"))
    .filter((text) => text !== "")
    .join("\n\n")}\n`;
}

function generatedLines(generated: GeneratedChanges, { diff }: Printing): string[] {
  const { written, removed, modelsChanged, findings, problems, report } = generated;
  const files = [
    ...written.map((path) => `    ${path}`),
    ...removed.map((path) => `    ${path}, which goes`),
  ];
  const more = files.length > shown ? [`    … and ${files.length - shown} more`] : [];
  return [
    ...indented(report),
    ...files.slice(0, shown),
    ...more,
    ...(modelsChanged && files.length > 0
      ? ["  some of it may be yours: models or code have changed since generated/ was made"]
      : []),
    ...problems.flatMap(({ message, fix }) => [...indented(message), `  to go on: ${fix}`]),
    ...indented(findings),
    ...diffLines(generated, diff),
  ];
}

function diffLines({ diff, written, removed }: GeneratedChanges, wanted: boolean): string[] {
  if (written.length + removed.length === 0) return [];
  if (!wanted) return ["  --diff shows the lines"];
  return diff === "" ? ["  generate shows the lines once it can go on"] : ["", diff.trimEnd()];
}

function behaviourLines(releases: UpgradeChanges["releases"]): string[] {
  if (releases.length === 0) return ["Behaviour", "  the changelog says nothing"];
  return ["Behaviour", ...releases.flatMap(releaseLines)];
}

function releaseLines({ version, date, entries }: UpgradeChanges["releases"][number]): string[] {
  const place = (section: (typeof sections)[number]) => sections.indexOf(section);
  const sorted = [...entries].sort(
    (a, b) => Number(b.breaking) - Number(a.breaking) || place(a.section) - place(b.section),
  );
  return [
    version === null ? "  not released yet" : `  ${version}, ${date}`,
    ...sorted.map(({ section, breaking, text }) => `    ${breaking ? "BREAKING " : ""}${section}: ${text}`),
  ];
}

function stepLines({ from, to }: UpgradeChanges, { install }: Printing): string[] {
  if (from === to) return [];
  const first = install === null ? [] : [`  ${install}`];
  return [
    "To take it over",
    ...first,
    "  npx kirak generate",
    "  git diff: read it, run the tests, and commit all of it",
  ];
}

function indented(text: string): string[] {
  return text === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => `  ${line}`);
}
