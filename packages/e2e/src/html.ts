import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

/** An element of a page, with what stands in its attributes. */
export interface HtmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** The elements of a page, in their order. */
export function elementsOf(html: string): readonly HtmlElement[] {
  return below(parse(html));
}

function below(node: DefaultTreeAdapterTypes.ParentNode): readonly HtmlElement[] {
  return node.childNodes.filter(defaultTreeAdapter.isElementNode).flatMap((element) => [
    {
      name: element.tagName,
      attributes: new Map(element.attrs.map(({ name, value }) => [name, value])),
    },
    ...below(element),
  ]);
}
