// Lint rules: what the type checker misses, unawaited requests above all
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules/", "**/generated/", "runs/", "test-results/", "templates/", "**/*.js", "**/*.d.ts"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowNullish: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        {
          varsIgnorePattern: "^_",
          argsIgnorePattern: "^_",
          destructuredArrayIgnorePattern: "^_",
          ignoreRestSiblings: true,
        },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // The description of an interface augments these.
      "@typescript-eslint/no-empty-object-type": ["error", { allowWithName: "^(Register|ControlTypes|TargetExtras)$" }],
      "@typescript-eslint/no-dynamic-delete": "off",
      // Objects are closures, so that methods can be taken out of them.
      "@typescript-eslint/unbound-method": "off",
      // Keys and redaction need code units.
      "@typescript-eslint/no-misused-spread": "off",
      "max-len": ["error", 120],
      "max-lines": ["error", { max: 300, skipBlankLines: false }],
      "max-lines-per-function": ["error", { max: 70 }],
    },
  },
  // Mutants put values of any type into texts.
  { files: ["**/*.mutants.ts"], rules: { "@typescript-eslint/no-base-to-string": "off" } },
  { files: ["**/*.spec.ts"], rules: { "no-empty-pattern": "off", "max-lines-per-function": "off" } },
);
