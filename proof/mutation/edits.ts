// The edits that mutation makes to a source file: what is replaced, by what, and a key that outlives other changes
import { createHash } from "node:crypto";
import ts from "typescript";

/**
 * `expression`: replaced by another · `statement`: left out · `element`: left out of its array ·
 * `name`: a method replaced by another.
 */
type Form = "expression" | "statement" | "element" | "name";

export interface Edit {
  readonly file: string;
  readonly form: Form;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly mutated: string;
  readonly line: number;
  /** The source line on which it begins, trimmed. */
  readonly on: string;
  /** Changes only with the statement that holds it. */
  readonly key: string;
}

const { SyntaxKind: Kind } = ts;

const operators: { readonly [operator: string]: readonly string[] } = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
};

const methods: { readonly [name: string]: string } = {
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  startsWith: "endsWith",
  endsWith: "startsWith",
  plus: "minus",
  minus: "plus",
  times: "div",
  gt: "gte",
  gte: "gt",
  lt: "lte",
  lte: "lt",
  sort: "slice",
  find: "findLast",
};

/** Words with spaces are for people, whom no test should hold to a wording. */
const isProse = (text: string): boolean => /\s/.test(text);

const textsOf = (node: ts.TemplateExpression): string =>
  [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join("");

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

type Add = (node: { readonly start: number; readonly end: number }, mutated: string, form?: Form) => void;

const rangeOf = (node: ts.Node): { start: number; end: number } => ({ start: node.getStart(), end: node.getEnd() });

function ofBinary(node: ts.BinaryExpression, add: Add): void {
  const [left, right] = [node.left.getText(), node.right.getText()];
  const operator = node.operatorToken.getText();
  if (operator === "??") for (const side of [left, right]) add(rangeOf(node), side);
  if (operator === "+" && [node.left, node.right].some(isText)) return;
  for (const other of operators[operator] ?? []) add(rangeOf(node), `${left} ${other} ${right}`);
}

function ofLiteral(node: ts.Node, add: Add): void {
  if (node.kind === Kind.TrueKeyword) add(rangeOf(node), "false");
  else if (node.kind === Kind.FalseKeyword) add(rangeOf(node), "true");
  else if (ts.isNumericLiteral(node)) add(rangeOf(node), String(Number(node.text) + 1));
  else if (ts.isStringLiteralLike(node) && !isProse(node.text)) add(rangeOf(node), node.text === "" ? '"x"' : '""');
  else if (ts.isRegularExpressionLiteral(node)) {
    if (node.text.startsWith("/^")) add(rangeOf(node), `/${node.text.slice(2)}`);
    const end = node.text.lastIndexOf("/");
    if (node.text[end - 1] === "$") add(rangeOf(node), node.text.slice(0, end - 1) + node.text.slice(end));
  }
}

/** What is returned, where no other edit replaces it as a whole. */
function ofReturned(returned: ts.Expression, add: Add): void {
  const node = ts.isParenthesizedExpression(returned) ? returned.expression : returned;
  const isEdited =
    ts.isBinaryExpression(node) || ts.isConditionalExpression(node) || ts.isPrefixUnaryExpression(node) || isText(node);
  const isMinor = ts.isLiteralExpression(node) || ts.isArrayLiteralExpression(node) || ts.isArrowFunction(node);
  const isNothing = [Kind.TrueKeyword, Kind.FalseKeyword, Kind.NullKeyword].includes(node.kind);
  if (!isEdited && !isMinor && !isNothing && node.getText() !== "undefined") add(rangeOf(node), "undefined");
}

function ofCall(node: ts.CallExpression, add: Add): void {
  if (!ts.isPropertyAccessExpression(node.expression)) return;
  const { expression, name } = node.expression;
  const other = Object.hasOwn(methods, name.text) ? methods[name.text] : undefined;
  if (other !== undefined) add({ start: expression.getEnd(), end: name.getEnd() }, `.${other}`, "name");
  const [predicate] = node.arguments;
  if (name.text === "filter" && predicate) add(rangeOf(predicate), "() => true");
}

function ofStatement(node: ts.Node, add: Add): void {
  if (ts.isExpressionStatement(node)) {
    const called = ts.isCallExpression(node.expression) ? node.expression.expression.kind : null;
    if (called !== Kind.SuperKeyword) add(rangeOf(node.expression), "undefined");
  } else if (ts.isThrowStatement(node) || ts.isContinueStatement(node)) add(rangeOf(node), "", "statement");
  else if (ts.isReturnStatement(node) && !node.expression) add(rangeOf(node), "", "statement");
  else if (ts.isReturnStatement(node) && node.expression) ofReturned(node.expression, add);
  else if (ts.isIfStatement(node)) for (const value of ["true", "false"]) add(rangeOf(node.expression), value);
  else if (ts.isWhileStatement(node)) add(rangeOf(node.expression), "false");
  else if (ts.isForStatement(node) && node.condition) add(rangeOf(node.condition), "false");
}

/** Whether values are assigned to what looks like an array: `[a, b] = …`. */
const isTarget = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node.parent) &&
  node.parent.operatorToken.kind === Kind.EqualsToken &&
  node.parent.left === node;

/** Edits of the node itself. */
function ofNode(node: ts.Node, add: Add): void {
  ofStatement(node, add);
  ofLiteral(node, add);
  if (ts.isBinaryExpression(node)) ofBinary(node, add);
  else if (ts.isConditionalExpression(node)) {
    if (!(isText(node.whenTrue) && isText(node.whenFalse) && isProse(node.whenTrue.getText())))
      for (const branch of [node.whenTrue, node.whenFalse]) add(rangeOf(node), branch.getText());
  } else if (ts.isPrefixUnaryExpression(node) && [Kind.ExclamationToken, Kind.MinusToken].includes(node.operator))
    add(rangeOf(node), node.operand.getText());
  else if (ts.isCallExpression(node)) ofCall(node, add);
  else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) ofReturned(node.body, add);
  else if (ts.isArrayLiteralExpression(node) && !isTarget(node))
    for (const element of node.elements)
      if (!(isText(element) && isProse(element.getText()))) add(rangeOf(element), "", "element");
}

/** Types, imports, names and texts for people: nothing below is edited. */
function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeParameterDeclaration(node)) return true;
  if (ts.isTemplateExpression(node)) return isProse(textsOf(node));
  if (ts.isPropertyName(node) && !ts.isComputedPropertyName(node))
    return "name" in node.parent && node.parent.name === node;
  return ts.isJsxAttribute(node);
}

/** Only what stands by itself changes a key: a statement, or a member of a class. */
const unitsOf = (statement: ts.Statement): readonly ts.Node[] =>
  ts.isClassDeclaration(statement) ? statement.members : [statement];

/** All edits of a file, in the order of its text. */
export function editsOf(file: string, text: string): readonly Edit[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const found: Edit[] = [];
  for (const unit of source.statements.flatMap(unitsOf)) {
    const [begin, whole] = [unit.getStart(), unit.getText()];
    const add: Add = ({ start, end }, mutated, form = "expression") => {
      const original = text.slice(start, end);
      const { line } = source.getLineAndCharacterOfPosition(start);
      const identity = [file, whole, start - begin, form, original, mutated].join("\0");
      const key = createHash("sha256").update(identity).digest("hex").slice(0, 16);
      if (mutated !== original)
        found.push({ file, form, start, end, original, mutated, line: line + 1, on: lines[line]?.trim() ?? "", key });
    };
    const visit = (node: ts.Node): void => {
      if (isLeftAlone(node)) return;
      ofNode(node, add);
      ts.forEachChild(node, visit);
    };
    visit(unit);
  }
  return found;
}
