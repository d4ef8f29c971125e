import made from "./values.ts";

export default made;
