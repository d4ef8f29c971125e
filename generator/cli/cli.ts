import { nothingToDo } from "../last-run/last-run.ts";
import { readingOf } from "../last-run/reading.ts";
import { placesIn } from "./plain-run.ts";

/** Where nothing has changed since the last run, that is said before the generator itself is loaded, which takes most of the time. */
const words = process.argv.slice(2);
const places = placesIn(process.cwd(), words);
const reading = places === null ? null : await readingOf(places).catch(() => null);
const says = reading === null ? null : nothingToDo(reading);
if (says !== null) {
  process.stdout.write(says);
} else {
  const { main } = await import("./program.ts");
  await main(words, reading);
}
