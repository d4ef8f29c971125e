import { compareVersions, isVersion } from "./release-version.ts";

/** The kinds of changes that keepachangelog.com knows, in the order in which whoever upgrades reads them. */
export const sections = ["Security", "Removed", "Changed", "Deprecated", "Fixed", "Added"] as const;

export type Section = (typeof sections)[number];

/** One change of a release. */
export interface ChangelogEntry {
  readonly section: Section;
  /** Whether it asks something of the owner of an app. */
  readonly breaking: boolean;
  /** In Markdown, on one line. */
  readonly text: string;
}

export interface Release {
  /** Null of what no release has yet. */
  readonly version: string | null;
  /** `2026-11-24` */
  readonly date: string | null;
  readonly entries: readonly ChangelogEntry[];
}

/** How an entry begins that asks something of the owner of an app. */
const breakingMark = /^\*\*Breaking:\*\*\s*/;
const releaseLine = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/;

/** Reads CHANGELOG.md, newest release first. Throws for what is not in the form of keepachangelog.com, with the line. */
export function parseChangelog(text: string): Release[] {
  const parts = text
    .replaceAll("\r\n", "\n")
    .split(/^(?=## )/m)
    .slice(1);
  const releases = parts.map(releaseOf);
  for (const [index, { version }] of releases.entries()) {
    const next = releases[index + 1]?.version;
    const isPlaced =
      version === null
        ? index === 0
        : next !== null && (next === undefined || compareVersions(version, next) > 0);
    if (!isPlaced)
      throw new Error(`CHANGELOG.md: ${version ?? "Unreleased"} is out of order: the newest comes first`);
  }
  return releases;
}

/** What came after a version: each release above it, and what is not released yet. */
export function releasesAfter(releases: readonly Release[], version: string): Release[] {
  return releases.filter(
    (release) =>
      release.entries.length > 0 &&
      (release.version === null || compareVersions(release.version, version) > 0),
  );
}

function releaseOf(part: string): Release {
  const [line = "", ...lines] = part.split("\n");
  const [, name = "", date] = releaseLine.exec(line) ?? [];
  const isReleased = isVersion(name) && date !== undefined;
  if (!isReleased && !(name === "Unreleased" && date === undefined))
    throw new Error(`CHANGELOG.md: no release is headed by ${JSON.stringify(line)}`);
  const [, ...changes] = lines.join("\n").split(/^### /m);
  return { version: isReleased ? name : null, date: date ?? null, entries: changes.flatMap(entriesOf) };
}

function entriesOf(part: string): ChangelogEntry[] {
  const [name, ...lines] = part.trim().split("\n");
  const section = sections.find((one) => one === name);
  if (section === undefined)
    throw new Error(`CHANGELOG.md: no kind of changes is called ${JSON.stringify(name)}`);
  const [before = "", ...items] = `\n${lines.join("\n")}`.split(/\n- /);
  if (before.trim() !== "")
    throw new Error(`CHANGELOG.md: ${JSON.stringify(before.trim())} is no entry: it begins with "- "`);
  return items.map((item) => {
    const text = item.trim().replaceAll(/\s*\n\s*/g, " ");
    return { section, breaking: breakingMark.test(text), text: text.replace(breakingMark, "") };
  });
}
