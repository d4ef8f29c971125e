/** Names that go together, by country. */
export const countries = {
  NL: {
    first: ["Anna", "Bram", "Daan", "Eva", "Femke", "Joost", "Lotte", "Maarten", "Sanne", "Thijs"],
    last: ["de Boer", "Bakker", "Jansen", "Mulder", "van Dijk", "Visser", "de Wit", "Smit"],
  },
  GB: {
    first: ["Alice", "Arthur", "Beatrice", "Edward", "Harriet", "Oliver", "Rosalind", "Simon", "Violet"],
    last: ["Ashworth", "Barker", "Clarke", "Fairfax", "Holloway", "Marsh", "Pemberton", "Whitlock"],
  },
  FR: {
    first: ["Aurélie", "Benoît", "Camille", "Étienne", "Hélène", "Julien", "Margaux", "Théo"],
    last: ["Beaumont", "Chevalier", "Durand", "Fontaine", "Lefèvre", "Moreau", "Roussel"],
  },
  DE: {
    first: ["Anke", "Emil", "Greta", "Jonas", "Klara", "Lukas", "Mathilde", "Sören"],
    last: ["Baumgartner", "Fischer", "Hoffmann", "Köhler", "Lindner", "Schäfer", "Vogel"],
  },
  NG: {
    first: ["Adaeze", "Chidi", "Emeka", "Folake", "Ifeoma", "Ngozi", "Tunde", "Yewande"],
    last: ["Adeyemi", "Balogun", "Eze", "Nwosu", "Obi", "Okafor", "Okonkwo"],
  },
  JP: {
    first: ["Akari", "Haruto", "Keiko", "Mei", "Naoki", "Sakura", "Takeshi", "Yuki"],
    last: ["Fujimoto", "Hayashi", "Kobayashi", "Matsuda", "Nakamura", "Sato", "Tanaka"],
  },
  BR: {
    first: ["Beatriz", "Caio", "Helena", "João", "Luísa", "Marcos", "Rafaela", "Tomás"],
    last: ["Almeida", "Carvalho", "Ferreira", "Lima", "Nogueira", "Souza", "Vieira"],
  },
} as const;

export const adjectives = [
  ..."Borrowed Broken Crooked Distant Drowned Empty Forgotten Gentle Glass Golden Hidden Hollow Last Lost".split(
    " ",
  ),
  ..."Northern Paper Quiet Restless Second Silent Silver Slow Stolen Unfinished Unwritten Winter".split(" "),
];

export const nouns = [
  ..."Archive Atlas Bridge Cartographer City Clock Cook Daughter Garden Harbour House Island Kitchen Lantern".split(
    " ",
  ),
  ..."Letter Library Lighthouse Map Machine Mountain Orchard Physician Piano River Room Sea Season Station".split(
    " ",
  ),
  ..."Stranger Summer Theorem Train Translator Voyage Well Witness".split(" "),
];

export const places = [
  ..."Amsterdam Antwerp Bergen Bologna Cádiz Edinburgh Ghent Kyoto Lagos Lisbon Lübeck Odessa Porto".split(
    " ",
  ),
  ..."Recife Riga Salzburg Tbilisi Trieste Utrecht Zanzibar".split(" "),
];

export const subtitles = [
  "A Biography",
  "A Memoir",
  "A Novel",
  "A Short History",
  "Collected Stories",
  "Essays",
  "Letters, 1921–1938",
  "Poems",
  "Recipes from a Small Kitchen",
];

export const genres = [
  ..."biography children classics cooking crime essays fantasy history novels poetry science travel".split(
    " ",
  ),
];

export const awards = ["Golden Owl", "Harbour Prize", "Northern Book of the Year", "Prix des Libraires"];

export const blurbs = [
  "Three sisters inherit a house that none of them remembers.",
  "A retired surveyor finds a street that is on no map.",
  "What began as a walk becomes a history of salt, tides and patience.",
  "One summer, two letters, and a lie that outlives everybody who told it.",
  "The story of a language with a single speaker left.",
  "Forty dishes, each with the person who taught it.",
  "A night train stops in the snow, and nobody will say why.",
  "The first full account of an expedition that was thought to be lost.",
  "A quiet, funny book about mending things.",
  "A village votes on whether to move itself up the hill.",
];

export const opinions = [
  { rating: 5, title: "Could not put it down", body: "Read it in one night, and again at the weekend." },
  { rating: 5, title: "A gift for everybody", body: "I have given away four copies by now." },
  { rating: 5, title: "Beautifully made", body: "The paper, the type, the maps: somebody cared." },
  { rating: 4, title: "Slow start, fine ending", body: "Give it fifty pages." },
  {
    rating: 4,
    title: "Better than the first one",
    body: "The characters have grown up, and so has the style.",
  },
  { rating: 4, title: "Well researched", body: "With notes that are worth reading on their own." },
  { rating: 3, title: "Decent", body: "Good for the train. I have forgotten the name of the hero." },
  {
    rating: 3,
    title: "Not what I expected",
    body: "The cover promises another book, but this one is all right.",
  },
  { rating: 2, title: "Too long", body: "There is a good short story in here." },
  {
    rating: 1,
    title: "Arrived with a bent corner",
    body: "The shop sent a new one at once, thanks for that.",
  },
] as const;

export const streets = [
  "Canal Street",
  "Church Lane",
  "Harbour Road",
  "Kerkstraat",
  "Mill Lane",
  "Station Road",
];
