// Shell lines that repeat a request, with a variable for each key.

/** With the quote that ends the text after it, if one does. */
const maskedKey = /<key:([^<>]+)>('?)/g;

/** `KEY_IP_BLOCKED` for the role `ipBlocked`. */
const variableOf = (role: string): string =>
  `KEY_${role
    .replace(/-\d+$/, "")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .toUpperCase()}`;

/**
 * The line's texts are in single quotes, which end around a variable: `-H 'X-Api-Key: '"$ACME_KEY"`.
 * @param names by role, the variables of who reads it
 */
export const withVariables = (curl: string, names: { readonly [role: string]: string } = {}): string =>
  curl.replace(maskedKey, (_, role: string, end: string) => {
    const name = Object.hasOwn(names, role) ? names[role] : undefined;
    return `'"$${name ?? variableOf(role)}"${end ? "" : "'"}`;
  });
