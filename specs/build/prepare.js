// npm's prepare: makes what is generated where it is missing or stale.
import { ensureGenerated } from "./ensure.js";

ensureGenerated();
