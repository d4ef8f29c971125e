declare const htm: typeof import("htm").default;
export default htm;
