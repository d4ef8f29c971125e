/** How generated files are formatted in a project without a `biome.json`: as this repository's does, which a test compares. */
export const ownFormat = {
  formatter: { indentStyle: "space", indentWidth: 2, lineWidth: 110 },
  javascript: { formatter: { quoteStyle: "double" } },
  overrides: [
    { includes: ["**/api-surface.json", "**/scalars.json"], json: { formatter: { lineWidth: 320 } } },
  ],
} as const;
