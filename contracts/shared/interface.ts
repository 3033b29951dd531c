// The interface that this project judges, as the engine receives it.
import type { Interface } from "../../harness/core/interface.ts";
import type * as observations from "../../specs/generated/observations.ts";
import type * as operations from "../../specs/generated/operations.ts";
import type * as requirements from "../../specs/generated/requirements.ts";
import { type IrreversibleId as Irreversible, type Role as RoleName, tables } from "../../specs/generated/tables.ts";
import type * as control from "./control.ts";

/** A check that cites what isn't there doesn't compile. */
declare module "../../harness/core/interface.ts" {
  interface Register {
    readonly requirement: requirements.RequirementId;
    readonly observation: observations.ObservationId;
    readonly operation: operations.OperationId;
    readonly feature: operations.Feature;
    readonly api: operations.Api;
    readonly irreversible: Irreversible;
    readonly role: RoleName;
  }
  interface KnownProject {
    readonly plan: "paid" | "free";
    readonly planName?: string;
    /** Credits per cycle. */
    readonly creditsLimit?: number;
    readonly admin?: "enabled" | "disabled";
    readonly billingData?: "missing";
  }
}

declare module "../../harness/transport/control.ts" {
  interface ControlTypes {
    readonly project: control.ControlledProject;
    readonly wish: control.WishedProject;
  }
}

export const dataPlatform: Interface = tables;
