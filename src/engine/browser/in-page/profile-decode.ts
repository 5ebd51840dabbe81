/// <reference lib="dom" />
import type { StorageTools } from './profile-tools.ts'

/** Runs in the page: undoes `encodeValue`, and takes what Playwright has encoded. */
export function decodeValue(encoded: unknown, tools: StorageTools): unknown {
  type Entry = { k: unknown; v: unknown }
  type Content = { b: string; type?: string; name?: string; lastModified?: number }
  const refs = new Map<unknown, unknown>()
  const words: Record<string, unknown> = { null: null, NaN, Infinity, '-Infinity': -Infinity, '-0': -0 }
  const leaves: Record<string, (content: never) => unknown> = {
    v: (word: string) => words[word],
    d: (text: string | null) => new Date(text ?? Number.NaN),
    bi: (digits: string) => BigInt(digits),
    r: ({ p, f }: { p: string; f: string }) => new RegExp(p, f),
    e: ({ n, m, s }: { n: string; m: string; s: string }) => Object.assign(new Error(m), { name: n, stack: s }),
    ab: ({ b }: Content) => tools.fromBase64(b).buffer,
    dv: ({ b }: Content) => new DataView(tools.fromBase64(b).buffer),
    ta: ({ b, k }: Content & { k: string }) => new (viewOf(k))(tools.fromBase64(b).buffer),
    w: (inner: unknown) => Object(decode(inner)) as unknown,
    blob: blobOf,
  }
  return decode(encoded)

  function decode(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node
    const parts = node as Record<string, unknown>
    if ('ref' in parts) return refs.get(parts['ref'])
    const leaf = Object.keys(leaves).find((name) => name in parts)
    return leaf === undefined ? decodeTree(parts) : leaves[leaf]?.(parts[leaf] as never)
  }

  /** A tree is noted before its branches are decoded, because they may lead back to it. */
  function decodeTree({ a, o, m, s, id }: Record<string, unknown>): unknown {
    const tree = a ? [] : m ? new Map<unknown, unknown>() : s ? new Set<unknown>() : {}
    refs.set(id, tree)
    if (Array.isArray(tree)) for (const item of a as unknown[]) tree.push(decode(item))
    else if (tree instanceof Map) for (const { k, v } of m as Entry[]) tree.set(decode(k), decode(v))
    else if (tree instanceof Set) for (const item of s as unknown[]) tree.add(decode(item))
    else for (const { k, v } of (o ?? []) as Entry[]) define(tree, k as string, decode(v))
    return tree
  }

  function define(object: object, name: string, value: unknown): void {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  }

  function viewOf(short: string): new (buffer: ArrayBuffer) => unknown {
    const [, sort = '', bits = '', clamped] = /^(bi|bui|i|ui|f)(\d+)(c?)$/.exec(short) ?? []
    const long = { bi: 'BigInt', bui: 'BigUint', i: 'Int', ui: 'Uint', f: 'Float' }[sort]
    return (globalThis as never)[`${long}${bits}${clamped ? 'Clamped' : ''}Array`]
  }

  function blobOf({ b, type = '', name, lastModified }: Content): Blob {
    const parts = [tools.fromBase64(b)]
    if (name === undefined) return new Blob(parts, { type })
    return new File(parts, name, { type, ...(lastModified !== undefined && { lastModified }) })
  }
}
