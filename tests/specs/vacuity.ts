// The lint of vacuous schemas: each keyword that a requirement cites must refuse something.
import type { ErrorObject } from "ajv/dist/2020.js";
import type { SpecSchemaNode } from "../../specs/build/load.ts";
import { type Site, sitesOf } from "../../specs/build/sites.ts";
import { newAjv } from "../../specs/build/validators.ts";

type Members = { [member: string]: Instance };
type Instance = null | boolean | number | string | Instance[] | Members;

/**
 * What is vacuous in one schema, as sentences; [] for a sound one. For each cited keyword an instance that breaks
 * exactly it is derived from the schema's examples.
 */
export function vacuityProblems(name: string, schema: SpecSchemaNode): string[] {
  const validate = newAjv().compile(schema);
  const errorsOf = (instance: Instance): ErrorObject[] => (validate(instance) ? [] : [...(validate.errors ?? [])]);
  const examples = (schema.examples ?? []) as Instance[];
  const { sites, uncited } = sitesOf(schema);
  return [
    ...(examples.length === 0 ? [`${name} has no example`] : []),
    ...examples.flatMap((example, index) =>
      errorsOf(example).map(
        ({ instancePath, message }) => `${name}: example ${index + 1} is refused at ${instancePath || "/"}: ${message}`,
      ),
    ),
    ...(errorsOf({}).length === 0 ? [`${name} accepts {}`] : []),
    ...uncited.map((constraint) => `${name}: no requirement cites ${constraint}`),
    ...sites.flatMap((site) => siteProblem(name, site, examples, schema, errorsOf)),
  ];
}

function siteProblem(
  name: string,
  site: Site,
  examples: readonly Instance[],
  schema: SpecSchemaNode,
  errorsOf: (instance: Instance) => ErrorObject[],
): string[] {
  const keyword = `${site.keyword} at ${site.at || "/"} (${site.id})`;
  const broken = examples.flatMap((example) => breakings(example, site, nodeAt(schema, site.at)));
  if (broken.length === 0) return [`${name}: no instance can be derived that breaks ${keyword}`];
  const accepted = broken.find((instance) => !errorsOf(instance).some((error) => isAt(error, site)));
  if (accepted !== undefined) {
    const passing = JSON.stringify(valueAt(accepted, site.at) ?? null).slice(0, 80);
    return [`${name}: ${keyword} refuses nothing: ${passing} passes`];
  }
  const others = broken.flatMap(errorsOf).find((error) => !isAt(error, site) && error.propertyName === undefined);
  return others ? [`${name}: breaking ${keyword} breaks ${others.keyword} at ${others.instancePath || "/"} too`] : [];
}

/** The place of an error as sites name it: any element of an array is `*`. */
const starred = (at: string): string => at.replace(/\/\d+(?=\/|$)/g, "/*");

const isAt = ({ instancePath, keyword, params }: ErrorObject, site: Site): boolean =>
  site.keyword === "present"
    ? keyword === "required" && starred(`${instancePath}/${params["missingProperty"]}`) === site.at
    : keyword === site.keyword && starred(instancePath) === site.at;

const stepsIn = (at: string): readonly string[] => at.split("/").slice(1);

const nodeAt = (schema: SpecSchemaNode, at: string): SpecSchemaNode =>
  stepsIn(at).reduce((node, step) => node.properties?.[step] ?? node.items ?? {}, schema);

/** A `*` is tried on the first element. */
const namesIn = (at: string): readonly string[] => stepsIn(at).map((step) => (step === "*" ? "0" : step));

const valueAt = (instance: Instance, at: string): Instance | undefined =>
  namesIn(at).reduce<Instance | undefined>(
    (here, name) => (typeof here === "object" && here !== null ? (here as Members)[name] : undefined),
    instance,
  );

/** Copies of an example in which one place breaks one keyword and no other. */
function breakings(example: Instance, { at, keyword }: Site, node: SpecSchemaNode): Instance[] {
  const here = valueAt(example, at);
  if (here === undefined)
    return keyword === "not" && at !== "" ? [changedAt(example, at, null), changedAt(example, at, {})] : [];
  if (keyword === "present") return [changedAt(example, at, undefined)];
  return wrongValues(keyword, here, node).map((value) => changedAt(example, at, value));
}

function wrongValues(keyword: string, here: Instance, node: SpecSchemaNode): Instance[] {
  switch (keyword) {
    case "type":
      return wrongTypes([node.type ?? []].flat());
    case "minimum":
      return [Number(node["minimum"]) - 1];
    case "multipleOf":
      return [Number(here) + Number(node["multipleOf"]) / 2];
    case "enum":
      return [null, {}, `${String((node["enum"] as readonly unknown[])[0])} `];
    case "minLength":
      return [""];
    case "const":
      return [null, {}, `${String(node["const"])} `];
    case "pattern":
      return typeof here === "string" ? [`${here} `, ""] : [];
    case "propertyNames": {
      const forbidden = (node["propertyNames"] as { not?: { enum?: string[] } }).not?.enum ?? [];
      return typeof here === "object" && here !== null ? forbidden.map((name) => ({ ...here, [name]: 0 })) : [];
    }
    default:
      return [];
  }
}

const samples: readonly [type: string, value: Instance][] = [
  ["null", null],
  ["boolean", true],
  ["number", 1.5],
  ["string", "2025-01-31"],
  ["array", []],
  ["object", {}],
];

const wrongTypes = (types: readonly string[]): Instance[] =>
  samples.filter(([type]) => !types.includes(type)).map(([, value]) => value);

function changedAt(example: Instance, at: string, value: Instance | undefined): Instance {
  if (at === "") return value ?? null;
  const copy = structuredClone(example);
  const last = namesIn(at).at(-1) ?? "";
  const holder = valueAt(copy, at.slice(0, at.lastIndexOf("/"))) as Members;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}
