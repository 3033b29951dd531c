/** The path of the compiled command line; generates and compiles first where sources have changed. */
export function ensureCompiled(): Promise<string>;
