import { isbnCheckDigit } from "../shop/isbn.ts";
import { bookSlug } from "../shop/slug.ts";
import { money } from "./money.ts";
import { person } from "./people.ts";
import type { Random } from "./random.ts";
import { date, day, timestamp, today } from "./time.ts";
import { adjectives, awards, blurbs, nouns, places, subtitles } from "./words.ts";

export type Author = ReturnType<typeof author>;
export type Book = ReturnType<typeof book>;

function author(random: Random, id: number) {
  const { name, country, handle } = person(random);
  const created = timestamp(today - random.int(800, 1500) * day);
  return {
    id,
    name,
    country,
    born_on: random.maybe(0.9, () => date(today - random.int(25 * 365, 95 * 365) * day)),
    biography: `${name} was born in ${random.pick(places)} and lives in ${random.pick(places)}.`,
    website: random.maybe(0.4, () => `https://${handle.replaceAll(".", "-")}.example.com`),
    contact_email: random.maybe(0.7, () => `${handle}@example.org`),
    royalty_percent: random.pick([5, 7.5, 7.5, 10, 12.5]),
    created_at: created,
    updated_at: created,
  };
}

function title(random: Random): string {
  const adjective = random.pick(adjectives);
  const noun = random.pick(nouns);
  return random.pick([
    `The ${adjective} ${noun}`,
    `The ${noun} of ${random.pick(places)}`,
    `${adjective} ${random.pick(places)}`,
    `The ${noun} and the ${random.pick(nouns)}`,
    `The ${random.pick(nouns)}'s ${noun}`,
  ]);
}

/** Distinct for each number below 100,000,000, and in no visible order. */
function isbn(number: number): string {
  const digits = `9789${String((number * 7_654_321) % 100_000_000).padStart(8, "0")}`;
  return digits + isbnCheckDigit(digits);
}

function details(random: Random) {
  return {
    height_mm: random.int(180, 260),
    width_mm: random.int(110, 190),
    ...(random.chance(0.15) ? { awards: [{ name: random.pick(awards), year: random.int(2005, 2025) }] } : {}),
    ...(random.chance(0.2) ? { translator: person(random).name } : {}),
  };
}

function book(random: Random, id: number, authors: readonly Author[]) {
  const name = title(random);
  const number = isbn(id);
  const released = today - random.int(30, 5000) * day;
  const status = random.chance(0.88) ? "published" : random.pick(["draft", "out_of_print"] as const);
  const listed = Math.max(released, today - random.int(750, 800) * day);
  const price = random.int(7, 45) * 100 + random.pick([50, 95, 99]);
  return {
    id,
    title: name,
    subtitle: random.maybe(0.45, () => random.pick(subtitles)),
    slug: bookSlug(name, number),
    isbn: number,
    author_id: random.pick(authors).id,
    status,
    published_at: status === "draft" ? null : timestamp(listed),
    released_on: status === "draft" ? null : date(released),
    format: random.pick(["hardback", "paperback", "paperback", "audio", "ebook"] as const),
    language: random.pick(["en", "en", "en", "nl", "fr", "de"]),
    pages: random.int(80, 900),
    price: money(price),
    cost: money(Math.round(price * (0.5 + random.next() * 0.15))),
    stock: 0,
    featured: random.chance(0.04),
    average_rating: null as number | null,
    blurb: random.pick(blurbs),
    details: details(random),
    created_at: timestamp(listed - random.int(1, 40) * day),
    updated_at: timestamp(listed),
    deleted_at: random.maybe(0.01, () => timestamp(today - random.int(1, 20) * day)),
  };
}

export function authors(random: Random, count: number): Author[] {
  return Array.from({ length: count }, (_, i) => author(random, i + 1));
}

export function books(random: Random, count: number, by: readonly Author[]): Book[] {
  return Array.from({ length: count }, (_, i) => book(random, i + 1, by));
}
