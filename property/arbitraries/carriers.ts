// Spellings of the key's header (§5.2; RFC 9110 §5.1)
import fc from "fast-check";

const headerName = "X-Api-Key";

/** Header names in any case; shrinks towards lower case. */
export const keyHeader: fc.Arbitrary<string> = fc
  .array(fc.boolean(), { minLength: headerName.length, maxLength: headerName.length })
  .map((isUpper) =>
    [...headerName].map((letter, nth) => (isUpper[nth] ? letter.toUpperCase() : letter.toLowerCase())).join(""),
  );
