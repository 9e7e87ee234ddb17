import {
  type CallExpression,
  createSourceFile,
  type Expression,
  forEachChild,
  isArrayLiteralExpression,
  isCallExpression,
  isIdentifier,
  isStringLiteralLike,
  type Node,
  ScriptTarget,
} from 'typescript';

/** What one test file says about the manifest. */
export interface Citations {
  readonly ids: readonly string[];
  /** Calls whose ids cannot be read from the source text, as line numbers. */
  readonly unreadableLines: readonly number[];
}

/**
 * Reads the ids of all `verifies(…)` calls in a source text.
 *
 * A shared suite may not import test code: there the id stands at the start of the name, as in
 * `it('EXE-05: …')`. Such names are read when `namesCarryIds` is set.
 */
export function readCitations(text: string, options: { namesCarryIds: boolean }): Citations {
  const file = createSourceFile('test.ts', text, ScriptTarget.ESNext, false);
  const ids: string[] = [];
  const unreadableLines: number[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node) && isIdentifier(node.expression))
      readCall(node, node.expression.text);
    forEachChild(node, visit);
  };
  const readCall = (call: CallExpression, callee: string): void => {
    const first = call.arguments[0];
    if (callee === 'verifies') {
      const found = first === undefined ? undefined : literalIds(first);
      if (found !== undefined) ids.push(...found);
      else unreadableLines.push(file.getLineAndCharacterOfPosition(call.getStart(file)).line + 1);
    } else if (callee === 'it' && options.namesCarryIds && first && isStringLiteralLike(first)) {
      ids.push(...idsOfName(first.text));
    }
  };
  visit(file);
  return { ids, unreadableLines };
}

function literalIds(argument: Expression): readonly string[] | undefined {
  if (isStringLiteralLike(argument)) return [argument.text];
  if (!isArrayLiteralExpression(argument) || argument.elements.length === 0) return undefined;
  const texts = argument.elements.map((each) =>
    isStringLiteralLike(each) ? each.text : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function idsOfName(name: string): readonly string[] {
  const prefix = /^((?:[A-Z]+-?[A-Z]*\d+ ?)+): /.exec(name);
  return prefix?.[1]?.split(' ') ?? [];
}
