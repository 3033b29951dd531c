// What k6-operator 1.x needs to send a load from a cluster, and the Job that judges it, as plain objects
import { readFileSync } from "node:fs";
import { ownFlags, ownSettings } from "../k6/process.ts";

/** A load that a cluster sends. */
export interface ClusterLoad {
  /** Of the TestRun, and the beginning of all other names. */
  readonly name: string;
  readonly parts: number;
  /** What its logs begin with: those of an earlier load may be in the same volume. */
  readonly stamp: string;
  /** The variables that hold the keys it needs. */
  readonly variables: readonly string[];
  readonly versions: { readonly k6: string; readonly assay: string };
  readonly requests: number;
  readonly seconds: number;
  /** Whether breaches of implied requirements fail. */
  readonly impliedFails: boolean;
}

/** Names of pods and services, which k6-operator makes of it, must be shorter than 64 characters. */
const longestName_chars = 40;

/** Begins with a letter, as names of services must. @param target begins with a letter or digit */
export function nameOf(target: string, shape: string): string {
  const plain = target.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const room = longestName_chars - "assay--".length - shape.length;
  return `assay-${plain.slice(0, room).replace(/-$/, "")}-${shape}`;
}

export const scriptFile = "load.js";
/** Has the names of the variables that hold keys, one a line: kubectl then takes the values from its environment. */
export const keysFile = "keys.env";
const secretOf = (name: string): string => `${name}-keys`;
const jobOf = (name: string): string => `${name}-merge`;

/** The user of k6's image, who alone may read its logs. */
const user = 12345;
/** Room for what k6 logs of a request: 100 bytes as measured, and the whole answers of some. */
const logged_bytes = 200;

const headOf = (apiVersion: string, kind: string, name: string) => ({ apiVersion, kind, metadata: { name } });

/** Where k6-operator puts the ConfigMap, and we for the Job. */
const scriptMount = { name: "script", mountPath: "/test" };
const partsMount = { name: "parts", mountPath: "/parts" };
const claimOf = (name: string): string => `${name}-parts`;
const partsVolumeOf = (name: string) => ({ name: "parts", persistentVolumeClaim: { claimName: claimOf(name) } });

/** The custom resource that k6-operator runs. */
function testRunOf({ name, parts, stamp, variables, versions }: ClusterLoad): object {
  const image = `grafana/k6:${versions.k6}`;
  const env = Object.entries(ownSettings).map(([name, value]) => ({ name, value }));
  const pod = { name: "ASSAY_POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } };
  // Optional, so that a part whose key is missing starts, and says so.
  const keyIn = (key: string) => ({ secretKeyRef: { name: secretOf(name), key, optional: true } });
  return {
    ...headOf("k6.io/v1alpha1", "TestRun", name),
    spec: {
      ...{ parallelism: parts, separate: true, script: { configMap: { name, file: scriptFile } } },
      // A file is appended to, and each pod has a name of its own.
      arguments: [...ownFlags, `--log-output=file=/parts/${stamp}-$(ASSAY_POD).log`].join(" "),
      initializer: { image, env },
      runner: {
        image,
        env: [...env, pod, ...variables.map((key) => ({ name: key, valueFrom: keyIn(key) }))],
        // No limit of processor time: a throttled generator would look like a slow platform.
        resources: { requests: { cpu: "1", memory: "512Mi" }, limits: { memory: "2Gi" } },
        securityContext: { fsGroup: user },
        ...{ volumes: [partsVolumeOf(name)], volumeMounts: [partsMount] },
      },
    },
  };
}

/** Waits until it is resumed: kustomize then sets its namespace and image with all the others'. */
function mergeJobOf({ name, stamp, impliedFails }: ClusterLoad): object {
  const merge = `node /assay/cli/assay.js load merge /parts/${stamp}-*.log --target /test/target.yaml`;
  const flags = `--out /parts/${stamp} --implied=${impliedFails ? "fail" : "warn"}`;
  const container = {
    ...{ name: "merge", image: "assay" },
    // The shell finds the logs.
    command: ["sh", "-c", `exec ${merge} ${flags}`],
    resources: { requests: { cpu: "500m", memory: "512Mi" } },
    volumeMounts: [partsMount, scriptMount],
  };
  const pod = {
    restartPolicy: "Never",
    securityContext: { runAsUser: user, runAsGroup: user, fsGroup: user },
    containers: [container],
    volumes: [partsVolumeOf(name), { name: "script", configMap: { name } }],
  };
  return {
    ...headOf("batch/v1", "Job", jobOf(name)),
    spec: { suspend: true, backoffLimit: 0, template: { spec: pod } },
  };
}

/** Manifests by the names of their files. @param files of the ConfigMap */
export function manifestsOf(load: ClusterLoad, files: readonly string[]): { readonly [file: string]: object } {
  const { name, requests, versions } = load;
  const storage = `${Math.ceil((requests * logged_bytes) / 2 ** 30)}Gi`;
  const resources = {
    "parts.yaml": {
      ...headOf("v1", "PersistentVolumeClaim", claimOf(name)),
      spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage } } },
    },
    "testrun.yaml": testRunOf(load),
    "merge.yaml": mergeJobOf(load),
  };
  const kustomization = {
    ...{ apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", resources: Object.keys(resources) },
    // Its name is fixed: kustomize doesn't know that a TestRun names it.
    configMapGenerator: [{ name, files, options: { disableNameSuffixHash: true } }],
    images: [{ name: "assay", newName: "assay", newTag: versions.assay }],
  };
  return { ...resources, "kustomization.yaml": kustomization };
}

/** How much longer than the load a cluster may take, to pull images and place pods. */
const slack_s = 900;

/** The README of the folder: three commands, and what one must know. @param summary e.g. `smoke on acme: 9 requests` */
export function readmeOf({ variables, seconds, versions, ...load }: ClusterLoad, summary: string): string {
  const values: { readonly [placeholder: string]: string | number | boolean } = {
    ...{ ...load, ...versions, summary, keysFile, secret: secretOf(load.name), job: jobOf(load.name) },
    ...{ variables: variables.join(", "), timeout_s: Math.ceil(seconds) + slack_s },
  };
  const text = readFileSync(new URL("commands.md", import.meta.url), "utf8");
  return text.replace(/\{(\w+)\}/g, (all, placeholder: string) => String(values[placeholder] ?? all));
}
