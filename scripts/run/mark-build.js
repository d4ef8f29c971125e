// @ts-check
/** The end of `npm run build`. */
import { fileURLToPath } from "node:url";
import { copyPage, markBuild } from "./build.js";

copyPage(fileURLToPath(new URL("../../dist", import.meta.url)));
markBuild();
