// What a target lacks for a request or a check, and what its file could add.

/** The reason alone, or with what to write in the target file, e.g. `keys.free` or `allow: [throttle]`. */
export type Lack = string | { readonly reason: string; readonly add: string };

export const textOfLack = (lack: Lack): string => (typeof lack === "string" ? lack : lack.reason);
