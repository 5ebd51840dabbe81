import type { XmlElement, XmlNode } from './xml.ts'

export const isElement = (node: XmlNode): node is XmlElement => typeof node !== 'string'

export function elementsOf(parent: XmlElement | undefined): XmlElement[] {
  return parent ? parent.children.filter(isElement) : []
}

/** The first child of that name. */
export function child(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((node): node is XmlElement => isElement(node) && node.name === name)
}

/** The children of that name. */
export function childrenOf(parent: XmlElement | undefined, name: string): XmlElement[] {
  return elementsOf(parent).filter((element) => element.name === name)
}

/** The element at the end of a path of first children. */
export function at(parent: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((element, name) => child(element, name), parent)
}

/** All elements of that name below, outermost only, in document order. */
export function* within(parent: XmlElement | undefined, name: string): Generator<XmlElement> {
  for (const element of elementsOf(parent)) {
    if (element.name === name) yield element
    else yield* within(element, name)
  }
}

export function firstWithin(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const element of within(parent, name)) return element
  return undefined
}

/** All text below, as written. */
export function textOf(parent: XmlElement | undefined): string {
  if (!parent) return ''
  return parent.children.map((node) => (isElement(node) ? textOf(node) : node)).join('')
}

export function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}
