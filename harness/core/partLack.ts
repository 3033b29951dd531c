// What a part of a load lacks to be what was ordered of it, as data; its sentence is made where it is shown.

/** `plan`: its rates and mix. */
export type LoadTrait = "version" | "target" | "seed" | "plan" | "script";

/** What only costs measurements of all parts together: when it was sent. */
interface PartUntimely {
  /** `late`: after its start · `apart`: after another's, at least · `stalled`: meanwhile nothing was sent. */
  readonly is: "late" | "apart" | "stalled";
  readonly seconds: number;
}

/** What leaves a load incomplete. */
type PartIncomplete =
  /** `gaps`: iterations that it should have, or those of another. */
  | { readonly is: "missing" | "doubled" | "unended" | "gaps" }
  | { readonly is: "cutShort"; readonly detail: string }
  | { readonly is: "stopped"; readonly after_s: number; readonly detail: string }
  /** By a signal, or whatever isn't the load's own bounds. */
  | { readonly is: "ended"; readonly after_s: number; readonly by: string }
  | { readonly is: "miscounted"; readonly reported: number; readonly counted: number }
  | { readonly is: "short"; readonly begun: number; readonly planned: number }
  /** Of another load, which differs in this. */
  | { readonly is: "foreign"; readonly differsIn: LoadTrait };

/** From 1. */
interface PartPlace {
  readonly nth: number;
  readonly of: number;
}

export type PartLack = PartPlace & (PartUntimely | PartIncomplete);

export const isUntimely = (lack: PartLack): lack is PartPlace & PartUntimely =>
  lack.is === "late" || lack.is === "apart" || lack.is === "stalled";

export const partName = ({ nth, of }: PartPlace): string => `part ${nth} of ${of}`;

/** A sentence without a full stop. */
export const describePartLack = (lack: PartLack): string => `${partName(lack)} ${predicateOf(lack)}`;

function predicateOf(lack: PartLack): string {
  switch (lack.is) {
    case "late":
      return `began ${lack.seconds.toFixed(1)} s late`;
    case "apart":
      return `began at least ${lack.seconds.toFixed(1)} s after another`;
    case "stalled":
      return `stalled for ${lack.seconds.toFixed(1)} s`;
    case "missing":
      return "is missing";
    case "doubled":
      return "is present more than once";
    case "unended":
      return "has no end";
    case "gaps":
      return "has gaps between its iterations, or sent those of another part";
    case "cutShort":
      return `was cut short: ${lack.detail}`;
    case "stopped":
      return `was stopped automatically after ${lack.after_s} s: ${lack.detail}`;
    case "ended":
      return `was ended by ${lack.by} after ${lack.after_s} s`;
    case "miscounted":
      return `reported ${lack.reported} requests, but k6 counted ${lack.counted}`;
    case "short":
      return `began only ${lack.begun} of ${lack.planned} requests`;
    case "foreign":
      return lack.differsIn === "version" ? "was sent by another version of Assay" : `is of another ${lack.differsIn}`;
  }
}
