import { manageJobs } from "kirak/start";

await manageJobs({ root: process.cwd() }, process.argv.slice(2));
