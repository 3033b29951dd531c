// Why nothing is concluded: thrown by checks, oracles and whatever they use.

/** The check can't be tried here, or another breach masks what it looks at. */
export class Withheld extends Error {}

/** Our fault, the target file's or the network's: no verdict on the platform. */
export class Inconclusive extends Error {}
