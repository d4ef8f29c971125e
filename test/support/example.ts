/** The folders of the example, the book shop: an app of one's own begins without them. Nothing else needs what they hold. */
export const exampleFolders: readonly string[] = ["models", "generated", "benchmark"];
