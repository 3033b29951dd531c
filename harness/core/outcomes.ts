// Errors that end a check without a verdict on the platform.

/** The check can't run on this target, or another breach masks what it tests. */
export class Withheld extends Error {}

/** The cause is ours, the target file's or the network's, or it isn't known whose. */
export class Inconclusive extends Error {}
