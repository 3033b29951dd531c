// npm's prepare script: generates what is missing or stale.
import { ensureGenerated } from "./ensure.js";

ensureGenerated();
