// @ts-check
/** The end of `npm run build`. */
import { markBuild } from "./build.js";

markBuild();
