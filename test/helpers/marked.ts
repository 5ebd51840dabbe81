/** Splits an answer into blocks marked as untrusted and the text around them. */
export function readMarked(text: string): { tag: string; blocks: { label: string; text: string }[]; around: string } {
  const [, tag = ''] = /<(untrusted\d+)/.exec(text) ?? []
  if (tag === '') return { tag, blocks: [], around: text }
  const pattern = new RegExp(`<${tag}([^>]*)>\\n([^]*?)\\n</${tag}>`, 'g')
  const blocks = [...text.matchAll(pattern)].map(([, label = '', inner = '']) => ({ label: label.trim(), text: inner }))
  return { tag, blocks, around: text.replace(pattern, '') }
}

/** Returns all texts in a value, including the names of its fields. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsOf(inner)])
}
