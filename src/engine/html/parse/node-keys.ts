/** A node as the DOM library builds it: plain properties, and links to its neighbours under symbols. */
export type RawNode = Record<PropertyKey, unknown>

const shapes = {
  element: 'classList dataset end localName next nodeType ownerDocument parentNode prev private style',
  end: 'next nodeType ownerDocument parentNode prev start',
  text: 'localName next nodeType ownerDocument parentNode prev value',
  attribute: 'changed localName name next nodeType ownerDocument ownerElement parentNode prev value',
}
const named = ['next', 'prev', 'private', 'end', 'start', 'classList', 'dataset', 'style', 'value', 'changed'] as const
export type NodeKeys = Record<(typeof named)[number], symbol>

/** One node of each kind, fresh from the library. */
export type Samples = { element: RawNode; text: RawNode; attribute: RawNode }

/** The symbols under which the library keeps its links; undefined where nodes are built otherwise than expected. */
export function keysOf({ element, text, attribute }: Samples): NodeKeys | undefined {
  const symbols = new Map([element, text, attribute].flatMap(symbolsOf))
  const end = element[symbols.get('end') ?? ''] as RawNode | undefined
  if (!end) return undefined
  for (const [name, symbol] of symbolsOf(end)) symbols.set(name, symbol)
  const isAsExpected = Object.entries({ element, end, text, attribute }).every(
    ([kind, node]) => shapeOf(node) === shapes[kind as keyof typeof shapes],
  )
  return isAsExpected ? (Object.fromEntries(named.map((name) => [name, symbols.get(name)])) as NodeKeys) : undefined
}

function symbolsOf(node: RawNode): [string, symbol][] {
  return Object.getOwnPropertySymbols(node).map((symbol) => [symbol.description ?? '', symbol])
}

function shapeOf(node: RawNode): string {
  const names = Reflect.ownKeys(node).map((key) => (typeof key === 'symbol' ? (key.description ?? '') : key))
  return names.sort().join(' ')
}
