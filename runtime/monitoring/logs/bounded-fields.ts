/** Longest text of one record's fields. */
const mostCharacters = 16_384;
/** Where all together are too long, no text in them is longer than this, and no list. */
const longestText = 2_000;
const longestList = 50;

/** Fields as JSON text of a bounded length. What had to be left out is told where it stood. */
export function boundedFields(fields: Readonly<Record<string, unknown>>): string {
  const whole = JSON.stringify(fields);
  if (whole.length <= mostCharacters) return whole;
  const kept: Record<string, unknown> = {};
  let length = 0;
  let leftOut = 0;
  for (const [key, value] of Object.entries(fields)) {
    const part = shortened(value);
    const partLength = key.length * 2 + (JSON.stringify(part)?.length ?? 0);
    if (length + partLength > mostCharacters - 100) leftOut++;
    else {
      kept[key] = part;
      length += partLength + 4;
    }
  }
  return JSON.stringify(leftOut === 0 ? kept : { ...kept, "[truncated]": `${leftOut} fields` });
}

/** A text that is no longer than so many characters, and says so where it was. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… [truncated: ${text.length} characters]`;
}

function shortened(value: unknown): unknown {
  if (typeof value === "string") return cut(value, longestText);
  if (Array.isArray(value)) {
    const rest = value.length > longestList ? [`[truncated: ${value.length} elements]`] : [];
    return [...value.slice(0, longestList).map(shortened), ...rest];
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member)]));
}
