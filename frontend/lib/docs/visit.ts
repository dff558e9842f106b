/** Walk a syntax tree. */
type Tree<T> = { children?: T[] };

export function visit<T extends Tree<T>>(node: T, look: (node: T) => void): void {
  look(node);
  for (const child of node.children ?? []) visit(child, look);
}
