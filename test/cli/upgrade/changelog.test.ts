import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseChangelog, releasesAfter } from "#cli/upgrade/changelog";
import { compareVersions } from "#cli/upgrade/release-version";
import { builtInReleases } from "#runtime/built-in-migrations/index";

const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const head = "# Changelog\n\nWords.\n\n";

const text = `${head}## [Unreleased]

### Added

- \`init\`.

## [1.2.0] - 2027-02-01

### Changed

- **Breaking:** Mails of an app
  go out by jobs: start a worker.
- Logs are shorter.

### Security

- Tokens end.

## [1.1.0] - 2027-01-01

### Fixed

- Sums.

## [1.0.0] - 2026-12-31
`;

const [unreleased, second] = [null, "1.2.0"];

test("a changelog is read release by release, with what asks something of an owner", () => {
  expect(parseChangelog(text)).toEqual([
    { version: unreleased, date: null, entries: [{ section: "Added", breaking: false, text: "`init`." }] },
    {
      version: second,
      date: "2027-02-01",
      entries: [
        { section: "Changed", breaking: true, text: "Mails of an app go out by jobs: start a worker." },
        { section: "Changed", breaking: false, text: "Logs are shorter." },
        { section: "Security", breaking: false, text: "Tokens end." },
      ],
    },
    {
      version: "1.1.0",
      date: "2027-01-01",
      entries: [{ section: "Fixed", breaking: false, text: "Sums." }],
    },
    { version: "1.0.0", date: "2026-12-31", entries: [] },
  ]);
  expect(parseChangelog(text.replaceAll("\n", "\r\n"))).toEqual(parseChangelog(text));
});

test.each([
  ["1.1.0", [unreleased, second]],
  ["1.1.1-beta.1", [unreleased, second]],
  ["1.2.0-beta.1", [unreleased, second]],
  ["1.2.0", [unreleased]],
  ["0.9.0", [unreleased, second, "1.1.0"]],
])("after %s came %j", (version, versions) => {
  expect(releasesAfter(parseChangelog(text), version).map((release) => release.version)).toEqual(versions);
});

test.each([
  ["a release without a date", "## [1.0.0]\n", /no release is headed by "## \[1\.0\.0\]"/],
  ["a release that is no version", "## [next] - 2026-01-01\n", /no release is headed by/],
  [
    "an older release first",
    "## [1.0.0] - 2026-01-01\n\n## [1.1.0] - 2026-02-01\n",
    /1\.0\.0 is out of order/,
  ],
  ["what is not released, below", "## [1.0.0] - 2026-01-01\n\n## [Unreleased]\n", /out of order/],
  ["a kind that there is not", "## [Unreleased]\n\n### News\n\n- It.\n", /called "News"/],
  ["words that are no entry", "## [Unreleased]\n\n### Added\n\nIt.\n", /"It\." is no entry/],
])("%s is no changelog", (_, releases, message) => {
  expect(() => parseChangelog(`${head}${releases}`)).toThrow(message);
});

test.each([
  ["1.0.0", "1.0.1"],
  ["1.9.0", "1.10.0"],
  ["0.99.99", "1.0.0"],
  ["1.0.0-alpha", "1.0.0-alpha.1"],
  ["1.0.0-alpha.9", "1.0.0-alpha.10"],
  ["1.0.0-1", "1.0.0-alpha"],
  ["1.0.0-rc.1", "1.0.0"],
])("%s comes before %s", (earlier, later) => {
  expect(compareVersions(earlier, later)).toBeLessThan(0);
  expect(compareVersions(later, earlier)).toBeGreaterThan(0);
  expect(compareVersions(later, `${later}+build.7`)).toBe(0);
});

test("the newest release of this repository's is the version of the package, and says something", () => {
  const releases = parseChangelog(textOf("CHANGELOG.md"));
  const [newest] = releases.filter(({ version }) => version !== null);
  expect(newest?.version).toBe(JSON.parse(textOf("package.json")).version);
  expect(releases.filter(({ version, entries }) => version !== null && entries.length === 0)).toEqual([]);
});

test("each migration of the service's own tables is told in the release that brought it, and in no other", () => {
  const releases = parseChangelog(textOf("CHANGELOG.md"));
  const told = releases.flatMap(({ version, entries }) =>
    entries.flatMap((entry) =>
      [...entry.text.matchAll(/\bkirak_\d{4,}_\w+/g)].map(([name]) => [name, version]),
    ),
  );
  const { version: current } = JSON.parse(textOf("package.json"));
  const brought = builtInReleases.map(({ migration, since }) => [
    migration.name,
    compareVersions(since, current) > 0 ? null : since,
  ]);
  expect(told.sort()).toEqual(brought.sort());
});
