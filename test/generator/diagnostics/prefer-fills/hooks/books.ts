// before_create is told of at its export.
export const before_create = (book: { title?: string; slug?: string }) => {
  if (book.title === undefined) return;
  book.slug ??= book.title;
  // book.title = "commented out";
  return { ...book, language: "en", note: "" };
};

export const before_upsert = before_create;

export const before_update = ({ data }: { data: { author?: string } }) => {
  data.author = "not of a new record";
};
