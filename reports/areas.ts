// Titles of the register's areas.
const titles: { readonly [area: string]: string } = {
  GEN: "All three APIs",
  VER: "Version segments and protocol versions",
  AUTH: "API keys, and who may call what",
  USG: "The usage answer and its fields",
  CYC: "Credit cycles and dates",
  CRD: "Credit arithmetic",
  MET: "Metering: which call moves which counter",
  WAL: "Wallet endpoints",
  RPC: "JSON-RPC envelopes and their address",
  TA: "getTokenAccounts",
  CB: "getCompressedBalance",
  IH: "getIndexerHealth",
  NAP: "getMultipleNewAddressProofs",
  BND: "sendBundle and bundles",
  BST: "getBundleStatuses",
  SIM: "simulateBundle",
  ERR: "Error bodies, codes and messages",
  RATE: "Rate limits",
  EXT: "Standards outside the interface",
};

/** `AUTH`: "API keys, and who may call what"; a new area keeps its code. */
export const areaTitle = (area: string): string => titles[area] ?? area;

/** The area of a requirement: `AUTH` of AUTH-ALL-01. */
export const areaOf = (id: string): string => id.slice(0, id.indexOf("-"));
