// All state of the platform: projects, the chain, and the bundles that were sent
import { BundleBook } from "./bundles/book.ts";
import { Chain } from "./platform/chain.ts";
import { ProjectStore } from "./platform/project.ts";

export class World extends ProjectStore {
  readonly chain = new Chain();
  readonly book = new BundleBook();
}
