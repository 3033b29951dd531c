// npm's prepare: makes specs/generated/ where it is missing or stale.
import { ensureGenerated } from "./ensure.js";

ensureGenerated();
