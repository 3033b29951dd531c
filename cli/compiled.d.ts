import type { BuildOptions, Metafile } from "esbuild";

/** Bundles sources. @param options `addressed`: a file's text, with an address by which it finds what is beside it */
export function bundleScript(
  options: BuildOptions & { readonly addressed: (text: string, path: string) => string },
): Promise<Metafile>;

/** The path of the compiled command line; generates and compiles first where sources have changed. */
export function ensureCompiled(): Promise<string>;
