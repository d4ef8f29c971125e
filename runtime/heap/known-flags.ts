/** Releases of Node.js whose V8 is known to take the flags of this folder, and to name them so; another one would complain at each start. */
const newestKnown = 26;

const [release = ""] = process.versions.node.split(".");

/** Whether V8 may be told how to use its heap. */
export const knowsFlags = Number(release) <= newestKnown;
