// What does the register say of a requirement?
import { type Requirement, type RequirementId, requirements } from "../../specs/generated/requirements.ts";

const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));

export function requirementOf(id: RequirementId): Requirement {
  const requirement = byId.get(id);
  if (!requirement) throw new Error(`no requirement ${id}`);
  return requirement;
}
