/** `Où es-tu, Zoë?` and `9780140449136` give `ou-es-tu-zoe-9780140449136`, unique by its ISBN. */
export function bookSlug(title: string, isbn: string): string {
  const words = title
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return `${words}-${isbn}`.replaceAll(/-+/g, "-").replace(/^-/, "");
}
