// The versions of Node that the package and its texts name.
import { read } from "./assay.ts";

const { engines } = JSON.parse(read("package.json")) as { readonly engines: { readonly node: string } };

/** The least that works, e.g. `20.19`. */
const leastNode = engines.node.replace(">=", "");
export const [leastMajor = ""] = leastNode.split(".");

/** Those that are supported; the newest is the last. Node's even majors get support for the longest. */
export const supportedMajors = ["22", "24"];

/** As every text says it. */
export const neededNode = `Node ${supportedMajors.join(" or ")} (${leastNode} or later still works)`;
