import { hopsIn, type PathHop } from "./access-matrix.ts";
import type { OpenedPath } from "./widened-access.ts";

/** What is other on a path that leads elsewhere, a sentence for each relation: `"memberships" counts deleted rows now`. */
export function pathWords({ path, leads, before }: OpenedPath): string {
  const [after, former] = [hopsIn(leads), hopsIn(before)];
  const sentences = path.split(".").flatMap((name, index) => {
    const [now, was] = [after[index], former[index]];
    return now === undefined || was === undefined ? [] : changes(JSON.stringify(name), now, was);
  });
  return sentences.join("; ");
}

function changes(name: string, now: PathHop, was: PathHop): string[] {
  if (places(now) !== places(was)) return [`${name} leads to ${rowsOf(now)} now, and led to ${rowsOf(was)}`];
  return [
    ...(now.first === was.first ? [] : [`${name} leads to ${rowsOf(now)} now, and led to ${rowsOf(was)}`]),
    ...(now.live === was.live
      ? []
      : [`${name} ${now.live ? "leaves deleted rows out" : "counts deleted rows"} now`]),
  ];
}

function places({ from, sign, to }: PathHop): string {
  return JSON.stringify([from, sign, to]);
}

/** `the row of projects whose id is the project_id of tasks` */
function rowsOf({ from, sign, to, first }: PathHop): string {
  const rows = sign === ">" ? "the row" : first ? "the first row" : "the rows";
  return `${rows} of ${to.model} whose ${to.column} is the ${from.column} of ${from.model}`;
}
